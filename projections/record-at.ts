import type { DomainEvent } from '../domain/event-catalogue.js';
import type { RecordedEvent } from '../domain/kernel/recorded-event.js';
import { audios } from './audios.js';
import { memoryRows } from './memory-rows.js';
import { type Projection } from './projection.js';
import type { Rows } from './tables.js';
import { shownTags } from './video-tags.js';
import { videoView } from './video-view.js';
import { videos } from './videos.js';
import type { AudioRow, VideoView } from './views.js';
import { streamId } from '../domain/kernel/stream-name.js';

type Event = RecordedEvent<DomainEvent>;

/** Makes a record from the events of its stream, taken one after the other. */
export interface RecordReplay<View> {
  readonly take: (event: Event) => void;
  /** The record after what was taken; null before its registration. */
  readonly view: () => View | null;
}

/** The video record that rows hold; null when they hold none. */
export const videoViewIn = (rows: Rows, video_id: string): VideoView | null => {
  const row = rows.videos.get(video_id);
  return row === undefined ? null : videoView(row, (id) => shownTags(rows.videoTags.get(id)));
};

const replay =
  <View>(projection: Projection, viewIn: (rows: Rows, id: string) => View | null) =>
  (): RecordReplay<View> => {
    const rows = memoryRows();
    let id = '';
    return {
      take: (event) => {
        id = streamId(event.stream);
        projection.project(rows, event);
      },
      view: () => viewIn(rows, id),
    };
  };

export const replayVideo = replay(videos, videoViewIn);

/** Replays what an audio's own events tell of it. */
export const replayAudio = replay(audios, (rows, id): AudioRow | null => rows.audios.get(id) ?? null);
