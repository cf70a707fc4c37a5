import type { DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, streamId } from '../domain/kernel/recorded-event.js';
import { audios } from './audios.js';
import { memoryRows, type Projection, type Rows } from './tables.js';
import { videos } from './videos.js';
import type { AudioRow, VideoView, AudioView, VideoRow } from './views.js';
import type { VideoId } from '../domain/kernel/ids.js';
import type { MediaKind } from '../domain/kernel/media.js';
import { ineligibleReasons } from '../domain/name-inference/eligibility.js';
import type { VideoTagRow } from './tag-views.js';

/** The view of a video with these tags. */
const videoView = (
  { record, revision, run_id, decisions }: VideoRow,
  tagRows: ReadonlyArray<VideoTagRow>,
): VideoView => {
  const { created_at, updated_at, ...rest } = record;
  const inOrder = tagRows.toSorted((one, other) => one.place - other.place);
  const tags = inOrder.map(({ place: _place, video_id: _video, ...tag }) => tag);
  return {
    record: { ...rest, tags, created_at, updated_at },
    revision,
    run_id,
    decisions,
  };
};

type Event = RecordedEvent<DomainEvent>;

/** Rebuilds a record from the events of its stream, one by one. */
export interface RecordReplay<View> {
  readonly take: (event: Event) => void;
  /** The record after the events so far; null before its registration. */
  readonly view: () => View | null;
}

/** The view of a video from rows; null if there is none. */
export const videoViewIn = (rows: Pick<Rows, 'videos' | 'videoTags'>, video_id: string): VideoView | null => {
  const row = rows.videos.get(video_id);
  return row === undefined ? null : videoView(row, rows.videoTags.where('video_id', video_id));
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

/** Replays an audio's own events. */
export const replayAudio = replay(audios, (rows, id): AudioRow | null => rows.audios.get(id) ?? null);

/** The view of an audio. `kindOf` is called only if it has a video. */
export const audioView = (
  { record, revision, inferred_at }: AudioRow,
  kindOf: (video_id: VideoId) => MediaKind | null,
): AudioView => {
  const { created_at, updated_at, ...rest } = record;
  const kind = record.video_id === null ? null : kindOf(record.video_id);
  const reasons = ineligibleReasons({ ...record, parent: kind && { kind } });
  return {
    record: { ...rest, name_inference: { eligible: reasons.length === 0, reasons }, created_at, updated_at },
    revision,
    inferred_at,
  };
};
