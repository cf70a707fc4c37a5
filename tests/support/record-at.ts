import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { type RecordReplay, replayAudio, replayVideo } from '../../projections/shown-records.js';

const after =
  <View>(replay: () => RecordReplay<View>) =>
  (events: ReadonlyArray<RecordedEvent<DomainEvent>>): View | null => {
    const { take, view } = replay();
    events.forEach(take);
    return view();
  };

/** The video record after exactly these events of its stream, in order; null before its registration. */
export const videoViewAt = after(replayVideo);

/** The audio's row after exactly these events of its stream, in order; null before its registration. */
export const audioRowAt = after(replayAudio);
