import type { TagView, VideoTagsRow } from '../../projections/tag-views.js';
import { shownTags } from '../../projections/video-tags.js';
import { videoView } from '../../projections/video-view.js';
import type { VideoRow, VideoView } from '../../projections/views.js';
import type { Numbered } from './found-rows.js';
import type { Session } from './session.js';

/** A page of videos ends once it has so many tags. */
const mostTags = 100_000;

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

/** Joins videos with their tags. */
export const tagVideos = ({ rows }: Pick<Session, 'rows'>) => {
  const shown = rememberShown();
  /** A commit may come between the two rows: the tags may then be newer than the revision tells, and never older. */
  const tagged = (row: VideoRow): VideoView =>
    videoView(row, (video_id, least) => shown(rows.videoTags.committed(video_id, ({ revision }) => revision >= least)));
  return {
    tagged,
    /** The first of the rows, and of them as many as make a page. */
    taggedPage: (found: ReadonlyArray<Numbered<VideoRow>>): ReadonlyArray<VideoView> => {
      const views: VideoView[] = [];
      let tags = 0;
      for (const { row } of found) {
        if (tags >= mostTags) break;
        const view = tagged(row);
        tags += view.record.tags.length;
        views.push(view);
      }
      return views;
    },
  };
};
