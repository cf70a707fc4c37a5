import type { VideoId } from '../domain/kernel/ids.js';
import type { MediaKind } from '../domain/kernel/media.js';
import { ineligibleReasons } from '../domain/name-inference/eligibility.js';
import type { AudioRow, AudioView } from './views.js';

/** An audio as it is shown. What kind its video is of is looked for only where it has one. */
export const audioView = (
  { record, revision }: AudioRow,
  kindOf: (video_id: VideoId) => MediaKind | null,
): AudioView => {
  const { created_at, updated_at, ...rest } = record;
  const kind = record.video_id === null ? null : kindOf(record.video_id);
  const reasons = ineligibleReasons({ ...record, parent: kind && { kind } });
  return {
    record: { ...rest, name_inference: { eligible: reasons.length === 0, reasons }, created_at, updated_at },
    revision,
  };
};
