import type { VideoId } from '../domain/kernel/ids.js';
import type { TagView } from './tag-views.js';
import type { VideoRow, VideoView } from './views.js';

/**
 * A video as it is shown. Its tags are looked for only where it had some; `tags_revision` is the revision that they
 * have at least.
 */
export const videoView = (
  { record, revision, run_id, decisions, tags_revision }: VideoRow,
  find: (video_id: VideoId, tags_revision: number) => ReadonlyArray<TagView>,
): VideoView => {
  const { created_at, updated_at, ...rest } = record;
  const tags = tags_revision === null ? [] : find(record.video_id, tags_revision);
  return { record: { ...rest, tags, created_at, updated_at }, revision, run_id, decisions };
};
