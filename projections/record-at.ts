import type { DomainEvent } from '../domain/event-catalogue.js';
import type { RecordedEvent } from '../domain/kernel/recorded-event.js';
import { audios } from './audios.js';
import { memoryRows } from './memory-rows.js';
import { type Projection, streamId } from './projection.js';
import type { Rows } from './tables.js';
import { shownTags } from './video-tags.js';
import { videoView } from './video-view.js';
import { videos } from './videos.js';
import type { AudioView, VideoView } from './views.js';

type Events = ReadonlyArray<RecordedEvent<DomainEvent>>;

const replay = (projection: Projection, events: Events): Rows => {
  const rows = memoryRows();
  events.forEach((recorded) => projection.project(rows, recorded));
  return rows;
};

/** The video record that rows hold; null when they hold none. */
export const videoViewIn = (rows: Rows, video_id: string): VideoView | null => {
  const row = rows.videos.get(video_id);
  return row === undefined ? null : videoView(row, (id) => shownTags(rows.videoTags.get(id)));
};

/** The video record after exactly these events of its stream, in order; null before its registration. */
export const videoViewAt = (events: Events): VideoView | null =>
  videoViewIn(replay(videos, events), streamId(events[0]?.stream ?? ''));

/** The audio record after exactly these events of its stream, in order; null before its registration. */
export const audioViewAt = (events: Events): AudioView | null =>
  replay(audios, events).audios.get(streamId(events[0]?.stream ?? '')) ?? null;
