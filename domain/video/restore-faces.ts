import { type Verdict, verdictOn, type RecordFields, fieldsOf } from '../kernel/edit.js';
import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { AudioFacts } from './audio-facts.js';
import { type FaceAttributes, type FaceChange, attributesOf, faceChange } from './face.js';
import type { Face } from './state.js';

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

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

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
  const isPutBack = (field: Field): boolean =>
    field === 'name' ? undone.named_by !== null : !sameJson(undone.before[field], undone.after[field]);
  const reverted = fields.filter(isPutBack);
  const left = fields.filter((field) => verdicts[field] !== 'already' && !isPutBack(field));
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
