import type { DomainEvent } from '../domain/event-catalogue.js';
import type { RecordedEvent } from '../domain/kernel/recorded-event.js';
import { audios } from './audios.js';
import { memoryRows } from './memory-rows.js';
import { type Projection, streamId } from './projection.js';
import type { Rows } from './tables.js';
import { videos } from './videos.js';
import type { AudioView, VideoView } from './views.js';

type Events = ReadonlyArray<RecordedEvent<DomainEvent>>;

const replay = (projection: Projection, events: Events): Rows => {
  const rows = memoryRows();
  events.forEach((recorded) => projection.project(rows, recorded));
  return rows;
};

/** The video record after exactly these events of its stream, in order; null before its registration. */
export const videoViewAt = (events: Events): VideoView | null =>
  replay(videos, events).videos.get(streamId(events[0]?.stream ?? '')) ?? null;

/** The audio record after exactly these events of its stream, in order; null before its registration. */
export const audioViewAt = (events: Events): AudioView | null =>
  replay(audios, events).audios.get(streamId(events[0]?.stream ?? '')) ?? null;
