import type { AccountId } from '../domain/kernel/ids.js';
import type { ProcessingStatus } from '../domain/kernel/media.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { TagView } from './tag-views.js';
import type { AudioView, VideoRow, VideoView } from './views.js';

export type RecordSort = 'created_at' | 'updated_at' | 'title';

/** What of the videos or audios is listed, and in which order; null: all. */
export interface RecordSelection {
  readonly owner_id: AccountId | null;
  readonly status: ProcessingStatus | null;
  /** The audio of a video, the video of an audio. */
  readonly linked_id: string | null;
  /** A part of the title, as `foldedTitle` makes it. */
  readonly title: string | null;
  /** From `from` to before `to`. */
  readonly created: { readonly from: Timestamp | null; readonly to: Timestamp | null };
  readonly sort: RecordSort;
  readonly descending: boolean;
}

export interface VideoSelection extends RecordSelection {
  readonly needs_review: boolean | null;
  /** The text of a tag's value: its JSON, or a text itself. */
  readonly tag: { readonly key: string; readonly value: string } | null;
  /** The audios are listed with their videos. */
  readonly with_audio: boolean;
}

/** A video of a list; its audio where that was asked for and there is one. */
export interface ListedVideo extends VideoView {
  readonly audio: AudioView | null;
}

type Reviewed = Pick<VideoRow, 'record' | 'decisions' | 'suggested'>;

/** A title as it is searched and sorted by: capitals or not are the same, and so are the ways to write an accent. */
export const foldedTitle = (title: string): string =>
  title.toWellFormed().replaceAll('\0', ' ').normalize('NFC').toUpperCase().toLowerCase();

const sortedBy = 200;

/** As much of a folded title as it is sorted by. */
export const titleOrder = (title: string): string => foldedTitle(title).slice(0, sortedBy).toWellFormed();

/**
 * Whether somebody should look at the suggestions: the last suggest run completed, and one of its mappings is neither
 * committed nor settled by what a person decided of its face or its speaker, or of the two. A match of a person's own is
 * a decision, and has no accuracy.
 */
export const needsReview = ({ record, decisions, suggested }: Reviewed): boolean => {
  const { suggestions } = record.speaker_face_match;
  if (!suggested || suggestions === null) return false;
  const speakers = new Map(record.faces.map(({ id, speaker_id }) => [id, speaker_id]));
  const confirmed = [
    ...decisions.filter(({ verdict }) => verdict === 'confirmed'),
    ...record.faces.flatMap(({ id, speaker_id, accuracy }) =>
      speaker_id !== null && accuracy === null ? [{ face_id: id, speaker_id }] : [],
    ),
  ];
  const faces = new Set(confirmed.map(({ face_id }) => face_id));
  const matched = new Set(confirmed.map(({ speaker_id }) => speaker_id));
  const decided = new Set(decisions.map(({ face_id, speaker_id }) => `${face_id}/${speaker_id}`));
  return suggestions.mappings.some(
    ({ face_id, speaker_id }) =>
      speakers.get(face_id) !== speaker_id &&
      !faces.has(face_id) &&
      !matched.has(speaker_id) &&
      !decided.has(`${face_id}/${speaker_id}`),
  );
};

/** Whether one of the tags has this key and this text as its value. */
export const hasTag = (tags: ReadonlyArray<TagView>, { key, value }: NonNullable<VideoSelection['tag']>): boolean =>
  tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
