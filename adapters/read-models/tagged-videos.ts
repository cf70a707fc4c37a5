import type { TagView, VideoTagsRow } from '../../projections/tag-views.js';
import { tables } from '../../projections/tables.js';
import { shownTags } from '../../projections/video-tags.js';
import { videoView } from '../../projections/video-view.js';
import type { VideoRow, VideoView } from '../../projections/views.js';
import type { Session } from './session.js';

/** The tags of a row as they are shown, made once for as long as the row is remembered. */
const rememberShown = (): ((row: VideoTagsRow | null) => ReadonlyArray<TagView>) => {
  const known = new WeakMap<VideoTagsRow, ReadonlyArray<TagView>>();
  return (row) => {
    if (row === null) return [];
    const tags = known.get(row) ?? shownTags(row);
    known.set(row, tags);
    return tags;
  };
};

/** The bytes of a video's row with those of its tags, as SQL. */
export const taggedSize = `octet_length(row) + ifnull(
  (SELECT octet_length(tags.row) FROM ${tables.videoTags.name} AS tags WHERE tags.key = ${tables.videos.name}.key), 0)`;

/** Joins videos with their tags. */
export const tagVideos = ({ rows }: Pick<Session, 'rows'>): ((row: VideoRow) => VideoView) => {
  const shown = rememberShown();
  /** A commit may come between the two rows: the tags may then be newer than the revision tells, and never older. */
  return (row) =>
    videoView(row, (video_id, least) => shown(rows.videoTags.committed(video_id, ({ revision }) => revision >= least)));
};
