import * as E from 'fp-ts/lib/Either.js';
import type { VideoDecision, AudioFacts, RevertMatchRun, RevertVideoChange } from '../contract.js';
import type { RevertAudioChange } from '../../audio/contract.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import { type RenumberedSince, type Undone, fieldsOf, isChangedSince, sameJson, undoing } from '../../kernel/edit.js';
import {
  type VideoChanges,
  type FaceChange,
  type FaceField,
  attributesOf,
  editOfFace,
  exceedsMaxRuledOut,
  faceChange,
  faceFields,
  invertedChanges,
  isEdited,
  isEmptyChange,
  isRuledOut,
  maxRuledOut,
} from '../changes.js';
import type { VideoEvent } from '../events.js';
import { type RegisteredVideo, type Face, laterThanAllNames, touchesRenumbered } from '../state.js';
import type { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { TagKey } from '../../tag-registry/contract.js';

type Faces = ReadonlyMap<FaceId, Face>;

/** Whether a field of a face is as a change left it. A name includes who gave it: a person may have claimed it since. */
const isAsLeft = (face: Face, { after, named_by }: FaceChange, field: FaceField): boolean =>
  sameJson(face[field], after[field]) && (field !== 'name' || named_by === null || face.named_by === named_by.after);

const speakersOf = (audio: AudioFacts | null): ReadonlySet<SpeakerId> =>
  new Set(audio?.speakers.map(({ speaker_id }) => speaker_id));

/**
 * The changes after whose undoing each face has its earlier speaker: that speaker exists, no other face has it, and no
 * later change of the list gives it to another. Dropping a change may block another one, so this repeats until nothing
 * changes.
 */
const withPlace = (
  faces: Faces,
  moving: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): ReadonlySet<FaceChange> => {
  const speakers = speakersOf(audio);
  let left = moving;
  for (;;) {
    const leaving = new Set(left.map(({ face_id }) => face_id));
    const staying = [...faces.values()].filter(({ face_id }) => !leaving.has(face_id));
    const faceOf = new Map([
      ...left.map(({ face_id, before }): [SpeakerId | null, FaceId] => [before.speaker_id, face_id]),
      ...staying.map(({ face_id, speaker_id }): [SpeakerId | null, FaceId] => [speaker_id, face_id]),
    ]);
    const placed = left.filter(
      ({ face_id, before: { speaker_id } }) =>
        speaker_id === null || (speakers.has(speaker_id) && faceOf.get(speaker_id) === face_id),
    );
    if (placed.length === left.length) return new Set(placed);
    left = placed;
  }
};

/**
 * The face after a change of it was undone. The accuracy belongs to the match, so it is restored only together with the
 * speaker or if the speaker did not change.
 */
const restored = (face: Face, change: FaceChange, moves: boolean): Face => {
  const { before, after, named_by } = change;
  const isLeft = (field: FaceField): boolean => isAsLeft(face, change, field);
  const keepsMatch = before.speaker_id === after.speaker_id && isLeft('speaker_id');
  return {
    ...face,
    ...(named_by !== null && isLeft('name') ? { name: before.name, named_by: named_by.before } : {}),
    speaker_id: moves ? before.speaker_id : face.speaker_id,
    accuracy: moves || (keepsMatch && isLeft('accuracy')) ? before.accuracy : face.accuracy,
    personality_traits: isLeft('personality_traits') ? before.personality_traits : face.personality_traits,
  };
};

/**
 * Undoes changes of faces field by field, by value. A speaker is restored only if it still exists and no other face has
 * it.
 */
export const restoreFields = (
  faces: Faces,
  changes: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): Undone<ReadonlyArray<FaceChange>> => {
  const moving = changes.filter((change) => {
    const face = faces.get(change.face_id);
    return face !== undefined && isEdited(change, 'speaker_id') && isAsLeft(face, change, 'speaker_id');
  });
  const placed = withPlace(faces, moving, audio);
  const undone = changes.map((change) => {
    const face = faces.get(change.face_id);
    const then = face && restored(face, change, placed.has(change));
    const left = faceFields.filter(
      (field) => isEdited(change, field) && (then === undefined || !sameJson(then[field], change.before[field])),
    );
    return {
      changes: face && then ? [faceChange(face, then, then.named_by)] : [],
      changed_since: fieldsOf('face', change.face_id, left),
    };
  });
  return {
    changes: undone
      .flatMap((one) => one.changes)
      .filter((change) => faceFields.some((field) => isEdited(change, field))),
    changed_since: undone.flatMap(({ changed_since }) => changed_since),
  };
};

/**
 * Undoes the changes of a run face by face. A face is left unchanged if any of its fields was changed since, or if its
 * earlier speaker is gone or belongs to another face.
 */
export const restoreFaces = (
  faces: Faces,
  changes: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): { readonly changes: ReadonlyArray<FaceChange>; readonly changed_since: ReadonlyArray<FaceId> } => {
  const untouched = changes.filter((change) => {
    const face = faces.get(change.face_id);
    const isOther = (field: FaceField): boolean =>
      face === undefined || !(isAsLeft(face, change, field) || sameJson(face[field], change.before[field]));
    return !faceFields.some(isOther);
  });
  const { changed_since: left } = restoreFields(faces, untouched, audio);
  const blocked = new Set(left.flatMap(({ id, fields }) => (fields.includes('speaker_id') ? [id] : [])));
  const whole = untouched.filter(({ face_id }) => !blocked.has(face_id));
  const kept = new Set(whole.map(({ face_id }) => face_id));
  return {
    changes: restoreFields(faces, whole, audio).changes,
    changed_since: changes.map(({ face_id }) => face_id).filter((face_id) => !kept.has(face_id)),
  };
};

/** Removes deleted and merged speakers from the values before the changes. */
export const withoutWithdrawn = (
  changes: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): ReadonlyArray<FaceChange> => {
  const known = speakersOf(audio);
  return changes.map((change) =>
    change.before.speaker_id === null || known.has(change.before.speaker_id)
      ? change
      : { ...change, before: attributesOf({ ...change.before, speaker_id: null, accuracy: null }) },
  );
};

const details = ['title', 'media_url'] as const;

/** Undoes a change of a video field by field, by value, as far as the current state allows. */
const undone = (
  state: RegisteredVideo,
  { changes, audio, revision }: Pick<RevertVideoChange, 'changes' | 'audio' | 'revision'>,
): Undone<VideoChanges> => {
  const { tags, title, media_url } = changes;
  // A request for such a change is refused. The part of a change of the audio is left out.
  const { faces, ruled_out } = touchesRenumbered(state, changes, revision) ? { faces: [], ruled_out: [] } : changes;
  const restoration = restoreFields(state.faces, faces, audio);
  const standing = (key: TagKey) => state.tags.get(key) ?? null;
  return {
    changes: {
      faces: restoration.changes,
      ruled_out: ruled_out.flatMap(
        (edit) => undoing(isRuledOut(state.ruled_out, edit.speaker_id, edit.face_id), edit) ?? [],
      ),
      tags: tags.flatMap((tag) => undoing(standing(tag.key), tag) ?? []),
      title: undoing(state.title, title),
      media_url: undoing(state.media_url, media_url),
    },
    changed_since: [
      ...restoration.changed_since,
      ...tags.flatMap((tag) => (isChangedSince(standing(tag.key), tag) ? fieldsOf('tag', tag.key, ['value']) : [])),
      ...fieldsOf(
        'video',
        state.video_id,
        details.filter((field) => isChangedSince(state[field], changes[field])),
      ),
    ],
  };
};

/** What a revert of the audio passes on to the video: the part of the video's changes that can be undone. */
export const partOfVideo = (
  state: RegisteredVideo,
  video_revision: number,
  change: Pick<RevertVideoChange, 'changes' | 'audio' | 'revision' | 'run_id'>,
): E.Either<RenumberedSince, Pick<RevertAudioChange, 'other' | 'changed_since'>> => {
  if (touchesRenumbered(state, change.changes, change.revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since } = undone(state, change);
  const { video_id } = state;
  const part = { video_id, video_revision, changes: invertedChanges(changes), run_id: change.run_id };
  return E.right({ other: isEmptyChange(changes) ? null : part, changed_since });
};

/** Undoes a change of the video, and passes the audio's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredVideo,
  command: RevertVideoChange,
): VideoDecision<'RevertVideoChange'> => {
  const { position, change_id, run_id, cause, other, at } = command;
  const isRequest = cause.kind === 'request';
  if (isRequest && touchesRenumbered(state, command.changes, command.revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since: left } = undone(state, command);
  const changed_since = [...left, ...command.changed_since];
  if (isEmptyChange(changes) && other === null)
    return isRequest ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  if (isRequest && exceedsMaxRuledOut(state.ruled_out, changes.ruled_out))
    return refuse({ _tag: 'TooManyDecisions', most: maxRuledOut });
  return record<VideoEvent>({
    type: 'VideoChangeReverted',
    data: {
      ...changes,
      faces: changes.faces.map(editOfFace),
      position,
      change_id,
      run_id,
      cause,
      audio: other,
      changed_since,
      at: laterThanAllNames(at, state.faces, command.audio),
    },
  });
};

/** POST match-runs/{run_id}/revert: undoes the changes of a run face by face. */
export const revertRun = (
  state: RegisteredVideo,
  { run_id, changes: made, revision, audio, at }: RevertMatchRun,
): VideoDecision<'RevertMatchRun'> => {
  if (touchesRenumbered(state, { faces: made, ruled_out: [] }, revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since } = restoreFaces(state.faces, made, audio);
  return changes.length === 0
    ? refuse({
        _tag: 'NothingToRevert',
        changed_since: changed_since.map((id) => ({ record: 'face' as const, id, fields: [] })),
      })
    : record<VideoEvent>({
        type: 'MatchRunReverted',
        data: { run_id, changes, changed_since, at: laterThanAllNames(at, state.faces, audio) },
      });
};
