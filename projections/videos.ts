import type { DataOf, DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, lastUse, streamId } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import { type VideoEvent, videoEvents } from '../domain/video/events.js';
import { decisionsAfter } from './link-decisions.js';
import type { Projection, Rows } from './tables.js';
import { changedQuestions, questionKey } from './review.js';
import { type TagView, tagRowKey } from './tag-views.js';
import type { UntaggedRecord, VideoRow } from './views.js';
import { continuing, isRenumbering } from '../domain/kernel/renumbering.js';
import type { FaceId, VideoId } from '../domain/kernel/ids.js';
import {
  type FaceAttributes,
  type FaceEdit,
  type TagEdit,
  type VideoEdits,
  attributesAfter,
  attributesOf,
  withDetails,
  withSpeakerFollowed,
} from '../domain/video/changes.js';
import { editsIn } from '../domain/video/reversible-changes.js';
import { type IdFollower, followBlock, followFaces, followSpeakers } from '../domain/video/follow-matches.js';

type Faces = UntaggedRecord['faces'];

/** A face as shown in the record. */
const shownFace = (id: FaceId, face: FaceAttributes) => ({ id, ...attributesOf(face) });

/** Edits faces. Of an edit counts what the record shows; unknown ids are ignored. */
const withFaces = (faces: Faces, edits: ReadonlyArray<Pick<FaceEdit, 'face_id' | 'after'>>): Faces => {
  const edited = new Map(edits.map(({ face_id, after }) => [face_id, after]));
  return edits.length === 0 ? faces : faces.map((face) => shownFace(face.id, { ...face, ...edited.get(face.id) }));
};

type Match = UntaggedRecord['speaker_face_match'];
/** All events except the registration and the erasure. */
type ContentEvent = Exclude<VideoEvent, { type: 'VideoRegistered' | 'MediumErased' }>;

const noMatch: Match = { status: null, queued_at: null, mode: null, suggestions: null };

const registered = (data: DataOf<'VideoRegistered'>, at: Timestamp): UntaggedRecord => ({
  video_id: data.video_id,
  owner_id: data.owner_id,
  title: data.title,
  kind: data.kind,
  media_url: data.media_url,
  status: 'queue',
  audio_id: data.audio_id,
  faces: [],
  speaker_face_match: noMatch,
  created_at: at,
  updated_at: at,
});

const queued = (match: Match, { mode, at }: DataOf<'MatchRunQueued'>): Match => ({
  ...match,
  status: 'queue',
  ...(mode === 'suggest' ? { queued_at: at, mode } : { queued_at: null, mode: null }),
});

const failed = (match: Match, { mode, withdraws_block }: DataOf<'MatchRunFailed'>): Match => ({
  ...match,
  status: mode === 'suggest' ? 'failed' : match.status,
  suggestions: withdraws_block ? null : match.suggestions,
});

const analysed = (
  record: UntaggedRecord,
  {
    status,
    faces,
    ...renumbering
  }: Pick<DataOf<'VideoAnalysisRecorded'>, 'status' | 'faces' | 'renumbered' | 'discontinued'>,
): UntaggedRecord => {
  const known = new Map(record.faces.map((face) => [face.id, face]));
  const continued = continuing(renumbering, known);
  return {
    ...record,
    status,
    faces: faces.map((face) => shownFace(face.face_id, attributesAfter(face, continued(face.face_id)))),
  };
};

const blockFollowed = (match: Match, follow: IdFollower): Match =>
  match.suggestions === null ? match : { ...match, suggestions: followBlock(match.suggestions, follow) };

const edited = (record: UntaggedRecord, edits: VideoEdits): UntaggedRecord => ({
  ...withDetails(record, edits),
  faces: withFaces(record.faces, edits.faces),
});

const changed = (record: UntaggedRecord, event: ContentEvent, edits: VideoEdits): UntaggedRecord => {
  const { faces, speaker_face_match: match } = record;
  switch (event.type) {
    case 'AudioAssociated':
      return { ...record, audio_id: event.data.audio_id };
    case 'AudioDissociated':
      return { ...record, audio_id: null };
    case 'VideoAnalysisRecorded': {
      const next = analysed(record, event.data);
      return isRenumbering(event.data)
        ? { ...next, speaker_face_match: blockFollowed(match, followFaces(event.data)) }
        : next;
    }
    case 'SpeakersRenumbered': {
      const follow = followSpeakers(event.data);
      return {
        ...record,
        faces: faces.map((face) => withSpeakerFollowed(face, follow.speaker)),
        speaker_face_match: blockFollowed(match, follow),
      };
    }
    case 'PersonalityTraitsRecorded': {
      const { face_id, ...after } = event.data;
      return { ...record, faces: withFaces(faces, [{ face_id, after }]) };
    }
    case 'MatchRunQueued':
      return { ...record, speaker_face_match: queued(match, event.data) };
    case 'SuggestionsStored':
      return { ...record, speaker_face_match: { ...match, status: 'completed', suggestions: event.data.block } };
    case 'MatchRunFailed':
      return { ...edited(record, edits), speaker_face_match: failed(match, event.data) };
    case 'FacesRenamed':
    case 'FacesMatched':
    case 'FaceUnmatched':
    case 'LinksDecided':
    case 'SpeakerWithdrawn':
    case 'MatchesCommitted':
    case 'MatchRunReverted':
    case 'VideoDetailsChanged':
    case 'VideoChangeReverted':
      return edited(record, edits);
    case 'AudioErased':
      return {
        ...analysed(record, { ...event.data, renumbered: [], discontinued: [] }),
        audio_id: null,
        speaker_face_match: noMatch,
      };
    case 'TagsWritten':
    case 'TagRemoved':
      return record;
  }
};

/** Whether the last suggest run completed. */
const isSuggested = (before: boolean, event: VideoEvent): boolean => {
  if (event.type === 'SuggestionsStored') return true;
  const isOther = event.type === 'MatchRunQueued' || event.type === 'MatchRunFailed';
  return before && !(isOther && event.data.mode === 'suggest');
};

const next = (
  row: VideoRow,
  origin: Pick<RecordedEvent<ContentEvent>, 'event' | 'position' | 'revision' | 'metadata'>,
  edits: VideoEdits,
): VideoRow => {
  const { event, revision } = origin;
  const record = { ...changed(row.record, event, edits), updated_at: lastUse(origin.metadata, row.record.updated_at) };
  if (event.type === 'AudioErased') return { record, revision, run_id: null, decisions: [], suggested: false };
  const run_id = event.type === 'MatchRunQueued' ? event.data.run_id : row.run_id;
  const isSame = record.faces === row.record.faces && row.decisions.length === 0 && edits.ruled_out.length === 0;
  const decisions = isSame ? row.decisions : decisionsAfter(row.decisions, record.faces, edits.ruled_out, origin);
  return { record, revision, run_id, decisions, suggested: isSuggested(row.suggested, event) };
};

/** More tags than one event has. */
const maxTagsOfEvent = 10_000;

/** Writes and removes tags. One that is written again keeps its place; one that is put back counts as written. */
const writeTags = (
  { videoTags }: Rows,
  video_id: VideoId,
  edits: ReadonlyArray<TagEdit>,
  revision: number,
  provenance: Pick<TagView, 'updated_at' | 'updated_by'>,
): void => {
  for (const [index, { key, after }] of edits.entries()) {
    const row = tagRowKey({ video_id, key });
    if (after === null) videoTags.delete(row);
    else {
      const place = videoTags.get(row)?.place ?? revision * maxTagsOfEvent + index;
      videoTags.put({ video_id, place, key, ...after, ...provenance });
    }
  }
};

const deleteQuestions = (rows: Rows, video_id: string): void =>
  rows.reviewQuestions
    .where('video_id', video_id)
    .forEach((question) => rows.reviewQuestions.delete(questionKey(question)));

const erase = (rows: Rows, video_id: string): void => {
  rows.videos.delete(video_id);
  rows.videoTags.where('video_id', video_id).forEach((tag) => rows.videoTags.delete(tagRowKey(tag)));
  deleteQuestions(rows, video_id);
};

const isVideoEvent = isEventOf(videoEvents);

/** The video record of each video stream (specification, sections 2.1, 2.5 and 3). */
export const videos: Projection = {
  name: 'videos',
  version: 12,
  categories: ['video'],
  tables: ['videos', 'videoTags', 'reviewQuestions'],
  project: (rows, { event, stream, revision, position, metadata }: RecordedEvent<DomainEvent>) => {
    if (!isVideoEvent(event) || !stream.startsWith('video-')) return;
    if (event.type === 'MediumErased') return erase(rows, streamId(stream));
    if (event.type === 'VideoRegistered') {
      const record = registered(event.data, metadata.recorded_at);
      return rows.videos.put({ record, revision, run_id: null, decisions: [], suggested: false });
    }
    const known = revision === 0 ? undefined : rows.videos.get(streamId(stream));
    if (known === undefined) return;
    const edits = editsIn(event);
    const row = next(known, { event, revision, position, metadata }, edits);
    if (edits.tags.length > 0 && 'at' in event.data) {
      const provenance = { updated_at: event.data.at, updated_by: metadata.actor.account_id };
      writeTags(rows, known.record.video_id, edits.tags, revision, provenance);
    }
    rows.videos.put(row);
    if (event.type === 'AudioErased') deleteQuestions(rows, streamId(stream));
    else changedQuestions(known, row).forEach((question) => rows.reviewQuestions.put(question));
  },
};
