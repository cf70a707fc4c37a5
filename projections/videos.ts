import type { DataOf, DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import { type VideoEvent, videoEvents } from '../domain/video/events.js';
import { decisionsAfter } from './link-decisions.js';
import type { Projection, Rows } from './tables.js';
import { changedQuestions, questionKey } from './review.js';
import { projectTags, isAboutTags } from './video-tags.js';
import type { UntaggedRecord, VideoRow } from './views.js';
import { continuing, isRenumbering } from '../domain/kernel/renumbering.js';
import type { FaceId } from '../domain/kernel/ids.js';
import {
  type FaceAttributes,
  type FaceEdit,
  attributesAfter,
  attributesOf,
  withSpeakerFollowed,
} from '../domain/video/changes.js';
import { type IdFollower, followBlock, followFaces, followSpeakers } from '../domain/video/follow-matches.js';

type Faces = UntaggedRecord['faces'];

/** A face as shown in the record. */
const shownFace = (id: FaceId, face: FaceAttributes) => ({ id, ...attributesOf(face) });

/** Gives faces other attributes. Of a change counts what the record shows; unknown ids are ignored. */
const withAttributes = (
  faces: Faces,
  changes: ReadonlyArray<{ readonly face_id: FaceId } & Partial<FaceAttributes>>,
): Faces => {
  const changed = new Map(changes.map((change) => [change.face_id, change]));
  return changes.length === 0 ? faces : faces.map((face) => shownFace(face.id, { ...face, ...changed.get(face.id) }));
};

/** Applies changes of faces. */
const withChanges = (faces: Faces, changes: ReadonlyArray<FaceEdit>): Faces =>
  withAttributes(
    faces,
    changes.map(({ face_id, after }) => ({ ...after, face_id })),
  );

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

const withDetails = (
  record: UntaggedRecord,
  { title, media_url }: Pick<DataOf<'VideoDetailsChanged'>, 'title' | 'media_url'>,
): UntaggedRecord => ({
  ...record,
  title: title === null ? record.title : title.after,
  media_url: media_url === null ? record.media_url : media_url.after,
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

const changed = (record: UntaggedRecord, event: ContentEvent): UntaggedRecord => {
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
    case 'PersonalityTraitsRecorded':
      return { ...record, faces: withAttributes(faces, [event.data]) };
    case 'FacesRenamed':
      return { ...record, faces: withAttributes(faces, event.data.faces) };
    case 'VideoDetailsChanged':
      return withDetails(record, event.data);
    case 'VideoChangeReverted':
      return { ...withDetails(record, event.data), faces: withChanges(faces, event.data.faces) };
    case 'FacesMatched':
    case 'FaceUnmatched':
    case 'LinksDecided':
    case 'SpeakerWithdrawn':
    case 'MatchRunReverted':
      return { ...record, faces: withChanges(faces, event.data.changes) };
    case 'MatchRunQueued':
      return { ...record, speaker_face_match: queued(match, event.data) };
    case 'SuggestionsStored':
      return { ...record, speaker_face_match: { ...match, status: 'completed', suggestions: event.data.block } };
    case 'MatchesCommitted':
      return { ...record, faces: withChanges(withChanges(faces, event.data.replaced), event.data.changes) };
    case 'MatchRunFailed':
      return {
        ...record,
        faces: withChanges(faces, event.data.replaced),
        speaker_face_match: failed(match, event.data),
      };
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

/** Whether an event may change decisions without changing a face. */
const decides = ({ type }: VideoEvent): boolean => type === 'LinksDecided' || type === 'VideoChangeReverted';

const next = (
  row: VideoRow,
  origin: Pick<RecordedEvent<ContentEvent>, 'event' | 'position' | 'revision' | 'metadata'>,
): VideoRow => {
  const { event, revision } = origin;
  const record = { ...changed(row.record, event), updated_at: origin.metadata.recorded_at };
  if (event.type === 'AudioErased') return { ...row, record, revision, run_id: null, decisions: [], suggested: false };
  const run_id = event.type === 'MatchRunQueued' ? event.data.run_id : row.run_id;
  const tags_revision = isAboutTags(event) ? revision : row.tags_revision;
  const isSame = record.faces === row.record.faces && row.decisions.length === 0 && !decides(event);
  const decisions = isSame ? row.decisions : decisionsAfter(row.decisions, record.faces, origin);
  return { record, revision, run_id, decisions, tags_revision, suggested: isSuggested(row.suggested, event) };
};

const deleteQuestions = (rows: Rows, video_id: string): void =>
  rows.reviewQuestions
    .where('video_id', video_id)
    .forEach((question) => rows.reviewQuestions.delete(questionKey(question)));

const erase = (rows: Rows, video_id: string): void => {
  rows.videos.delete(video_id);
  rows.videoTags.delete(video_id);
  deleteQuestions(rows, video_id);
};

const isVideoEvent = isEventOf(videoEvents);

/** The video record of each video stream (specification, sections 2.1, 2.5 and 3). */
export const videos: Projection = {
  name: 'videos',
  version: 10,
  categories: ['video'],
  tables: ['videos', 'videoTags', 'reviewQuestions'],
  project: (rows, { event, stream, revision, position, metadata }: RecordedEvent<DomainEvent>) => {
    if (!isVideoEvent(event) || !stream.startsWith('video-')) return;
    if (event.type === 'MediumErased') return erase(rows, streamId(stream));
    if (event.type === 'VideoRegistered') {
      const record = registered(event.data, metadata.recorded_at);
      const nothing = { run_id: null, decisions: [], tags_revision: null, suggested: false };
      return rows.videos.put({ record, revision, ...nothing });
    }
    const known = revision === 0 ? undefined : rows.videos.get(streamId(stream));
    if (known === undefined) return;
    const row = next(known, { event, revision, position, metadata });
    if (isAboutTags(event)) projectTags(rows, known, event, revision, metadata.actor.account_id);
    rows.videos.put(row);
    if (event.type === 'AudioErased') deleteQuestions(rows, streamId(stream));
    else changedQuestions(known, row).forEach((question) => rows.reviewQuestions.put(question));
  },
};
