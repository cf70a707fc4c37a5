import type { VideoDecision, AudioFacts, RevertMatchRun, RevertVideoChange } from '../contract.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import {
  type RecordFields,
  type Verdict,
  verdictOn,
  fieldsOf,
  inverted,
  isInProgress,
  sameJson,
} from '../../kernel/edit.js';
import {
  type VideoChanges,
  type TagEdit,
  type FaceChange,
  type FaceAttributes,
  editOfFace,
  exceedsMaxRuledOut,
  maxRuledOut,
  revertRuledOutEdits,
  invertRuledOutEdits,
  attributesOf,
  faceChange,
  isEmptyChange,
} from '../changes.js';
import type { VideoEvent } from '../events.js';
import { type RegisteredVideo, type Face, laterThanAllNames, touchesRenumbered } from '../state.js';
import { sameTag } from '../../tag-registry/contract.js';
import type { FaceId, SpeakerId } from '../../kernel/ids.js';

type Faces = ReadonlyMap<FaceId, Face>;
type Field = keyof FaceAttributes;
type Verdicts = Readonly<Record<Field, Verdict>>;

const fields: ReadonlyArray<Field> = ['name', 'speaker_id', 'accuracy', 'personality_traits'];

/** The result of undoing changes of faces. */
export interface Restoration {
  readonly changes: ReadonlyArray<FaceChange>;
  readonly reverted: ReadonlyArray<RecordFields>;
  /** Fields that were changed since or can no longer be restored. */
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** A name includes who gave it: it counts as changed if a person has claimed it since. */
const nameVerdict = (face: Face, { before, after, named_by }: FaceChange): Verdict => {
  if (named_by === null) return 'already';
  if (face.name === after.name && face.named_by === named_by.after) return 'put_back';
  return face.name === before.name ? 'already' : 'changed_since';
};

const verdictsOn = (face: Face, change: FaceChange): Verdicts => {
  const edit = <F extends Field>(field: F) => ({ before: change.before[field], after: change.after[field] });
  return {
    name: nameVerdict(face, change),
    speaker_id: verdictOn(face.speaker_id, edit('speaker_id')),
    accuracy: verdictOn(face.accuracy, edit('accuracy')),
    personality_traits: verdictOn(face.personality_traits, edit('personality_traits'), sameJson),
  };
};

/** A change to undo and the face's current state. */
interface Candidate {
  readonly face: Face;
  readonly change: FaceChange;
  readonly verdicts: Verdicts;
}

const holdersOf = (faces: Faces): ReadonlyMap<SpeakerId, FaceId> =>
  new Map(
    [...faces.values()].flatMap(({ face_id, speaker_id }) => (speaker_id === null ? [] : [[speaker_id, face_id]])),
  );

/**
 * The candidates whose earlier speaker exists and is free: no other face has it, and no later candidate had it too.
 * Dropping a candidate may block another one, so this repeats until nothing changes.
 */
const withPlace = (
  moving: ReadonlyArray<Candidate>,
  speakers: ReadonlySet<SpeakerId>,
  holderOf: ReadonlyMap<SpeakerId, FaceId>,
): ReadonlyArray<Candidate> => {
  let left = moving;
  for (;;) {
    const leaving = new Set(left.map(({ face }) => face.face_id));
    const lastHeir = new Map(left.map(({ face, change }) => [change.before.speaker_id, face.face_id]));
    const free = left.filter(({ face, change }) => {
      const { speaker_id } = change.before;
      if (speaker_id === null) return true;
      const holder = holderOf.get(speaker_id);
      const isFree = holder === undefined || leaving.has(holder);
      return speakers.has(speaker_id) && isFree && lastHeir.get(speaker_id) === face.face_id;
    });
    if (free.length === left.length) return free;
    left = free;
  }
};

/**
 * The face after restoring. The accuracy belongs to the match, so it is restored only together with the speaker or if
 * the speaker did not change.
 */
const restored = ({ face, change: { before, after }, verdicts }: Candidate, moves: boolean): FaceAttributes => {
  const speaker_id = moves ? before.speaker_id : face.speaker_id;
  const keepsMatch = before.speaker_id === after.speaker_id && face.speaker_id === before.speaker_id;
  const accuracy = moves || (keepsMatch && verdicts.accuracy === 'put_back') ? before.accuracy : face.accuracy;
  return {
    name: verdicts.name === 'put_back' ? before.name : face.name,
    speaker_id,
    accuracy,
    personality_traits:
      verdicts.personality_traits === 'put_back' ? before.personality_traits : face.personality_traits,
  };
};

const restoredFace = (candidate: Candidate, moves: boolean): Restoration => {
  const { face, change, verdicts } = candidate;
  const undone = faceChange(
    face,
    restored(candidate, moves),
    verdicts.name === 'put_back' ? change.named_by?.before : face.named_by,
  );
  const isRestored = (field: Field): boolean =>
    field === 'name' ? undone.named_by !== null : !sameJson(undone.before[field], undone.after[field]);
  const reverted = fields.filter(isRestored);
  const left = fields.filter((field) => verdicts[field] !== 'already' && !isRestored(field));
  return {
    changes: reverted.length === 0 ? [] : [undone],
    reverted: fieldsOf('face', face.face_id, reverted),
    changed_since: fieldsOf('face', face.face_id, left),
  };
};

const joined = (parts: ReadonlyArray<Restoration>): Restoration => ({
  changes: parts.flatMap(({ changes }) => changes),
  reverted: parts.flatMap(({ reverted }) => reverted),
  changed_since: parts.flatMap(({ changed_since }) => changed_since),
});

const changedFields = (change: FaceChange): ReadonlyArray<Field> =>
  fields.filter((field) =>
    field === 'name' ? change.named_by !== null : !sameJson(change.before[field], change.after[field]),
  );

const speakersOf = (audio: AudioFacts | null): ReadonlySet<SpeakerId> =>
  new Set(audio?.speakers.map(({ speaker_id }) => speaker_id));

/**
 * Undoes changes of faces field by field (see `Verdict`). A speaker is restored only if it still exists and no other
 * face has it.
 */
export const restoreFields = (
  faces: Faces,
  changes: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): Restoration => {
  const candidates = changes.flatMap((change): ReadonlyArray<Candidate> => {
    const face = faces.get(change.face_id);
    return face === undefined ? [] : [{ face, change, verdicts: verdictsOn(face, change) }];
  });
  const moving = withPlace(
    candidates.filter(({ verdicts }) => verdicts.speaker_id === 'put_back'),
    speakersOf(audio),
    holdersOf(faces),
  );
  const gone = changes.filter(({ face_id }) => !faces.has(face_id));
  return joined([
    ...candidates.map((candidate) => restoredFace(candidate, moving.includes(candidate))),
    ...gone.map((change) => ({
      changes: [],
      reverted: [],
      changed_since: fieldsOf('face', change.face_id, changedFields(change)),
    })),
  ]);
};

/** Whether any field has a value different from both before and after the change. */
const isChangedSince = ({ face, change }: Candidate): boolean => {
  const { before, after, named_by } = change;
  const isOther = (field: Field): boolean =>
    !sameJson(face[field], before[field]) && !sameJson(face[field], after[field]);
  const isClaimed = named_by !== null && face.name === after.name && face.named_by !== named_by.after;
  return fields.some(isOther) || (isClaimed && face.name !== before.name);
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
  const candidates = changes.flatMap((change): ReadonlyArray<Candidate> => {
    const face = faces.get(change.face_id);
    return face === undefined ? [] : [{ face, change, verdicts: verdictsOn(face, change) }];
  });
  const untouched = candidates.filter((candidate) => !isChangedSince(candidate));
  const moving = untouched.filter(({ verdicts }) => verdicts.speaker_id === 'put_back');
  const placed = withPlace(moving, speakersOf(audio), holdersOf(faces));
  const kept = untouched.filter((candidate) => !moving.includes(candidate) || placed.includes(candidate));
  const left = new Set(kept.map(({ face }) => face.face_id));
  return {
    changes: kept.flatMap((candidate) => restoredFace(candidate, placed.includes(candidate)).changes),
    changed_since: changes.map(({ face_id }) => face_id).filter((face_id) => !left.has(face_id)),
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

interface Undone {
  /** The changes of the revert (from the current to the restored values). */
  readonly changes: VideoChanges;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** Undoes a change of a video field by field (see `Verdict`), as far as the current state allows. */
const undone = (
  state: RegisteredVideo,
  { changes: made, audio, revision }: Pick<RevertVideoChange, 'changes' | 'audio' | 'revision'>,
): Undone => {
  // A request for such a change is refused. The part of a change of the audio is left out.
  const changes = touchesRenumbered(state, made, revision) ? { ...made, faces: [], ruled_out: [] } : made;
  const faces = restoreFields(state.faces, changes.faces, audio);
  const verdictOnTag = (tag: TagEdit) => verdictOn(state.tags.get(tag.key) ?? null, tag, sameTag);
  const detail = (field: 'title' | 'media_url') => {
    const edit = changes[field];
    return { edit, verdict: edit === null ? 'already' : verdictOn(state[field], edit) };
  };
  const [title, media_url] = [detail('title'), detail('media_url')];
  const restore = ({ edit, verdict }: typeof title) =>
    edit !== null && verdict === 'put_back' ? inverted(edit) : null;
  const left = [
    ...(title.verdict === 'changed_since' ? ['title'] : []),
    ...(media_url.verdict === 'changed_since' ? ['media_url'] : []),
  ];
  return {
    changes: {
      faces: faces.changes,
      ruled_out: revertRuledOutEdits(state.ruled_out, changes.ruled_out),
      tags: changes.tags
        .filter((tag) => verdictOnTag(tag) === 'put_back')
        .map((tag) => ({ key: tag.key, ...inverted(tag) })),
      title: restore(title),
      media_url: restore(media_url),
    },
    changed_since: [
      ...faces.changed_since,
      ...changes.tags
        .filter((tag) => verdictOnTag(tag) === 'changed_since')
        .flatMap(({ key }) => fieldsOf('tag', key, ['value'])),
      ...fieldsOf('video', state.video_id, left),
    ],
  };
};

const invertedFace = ({ face_id, before, after, named_by }: FaceChange): FaceChange => ({
  face_id,
  before: after,
  after: before,
  named_by: named_by && inverted(named_by),
});

/** The part of a change that can be undone, in the direction of the original change. */
export const planRevert = (
  state: RegisteredVideo,
  made: VideoChanges,
  audio: AudioFacts | null,
  revision: number,
): { readonly changes: VideoChanges; readonly changed_since: ReadonlyArray<RecordFields> } => {
  const { changes, changed_since } = undone(state, { changes: made, audio, revision });
  const { faces, ruled_out, tags, title, media_url } = changes;
  return {
    changes: {
      faces: faces.map(invertedFace),
      ruled_out: invertRuledOutEdits(ruled_out),
      tags: tags.map((tag) => ({ key: tag.key, ...inverted(tag) })),
      title: title && inverted(title),
      media_url: media_url && inverted(media_url),
    },
    changed_since,
  };
};

/** Undoes a change of the video, and passes the audio's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredVideo,
  command: RevertVideoChange,
): VideoDecision<'RevertVideoChange'> => {
  const { position, change_id, run_id, cause, other, at } = command;
  if (cause.kind === 'request' && touchesRenumbered(state, command.changes, command.revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since: left } = undone(state, command);
  const isOthers = other !== null && other.changes.speakers.length + Number(other.changes.title !== null) > 0;
  const isNew = isOthers && !isInProgress(state.shared_reverts, change_id, other.audio_revision);
  const changed_since = [...left, ...(other?.changed_since ?? [])];
  if (isEmptyChange(changes) && !isNew)
    return cause.kind === 'request' ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  if (cause.kind === 'request' && exceedsMaxRuledOut(state.ruled_out, changes.ruled_out))
    return refuse({ _tag: 'TooManyDecisions', most: maxRuledOut });
  const audio = isNew
    ? { audio_id: other.audio_id, audio_revision: other.audio_revision, changes: other.changes }
    : null;
  return record<VideoEvent>({
    type: 'VideoChangeReverted',
    data: {
      ...changes,
      faces: changes.faces.map(editOfFace),
      position,
      change_id,
      run_id,
      cause,
      audio,
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
