import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { type NamedBy, generatedFaceLabel, isRealName } from '../kernel/names.js';
import { type Renumbering, followIds } from '../kernel/renumbering.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { AudioFacts } from './audio-facts.js';
import { type FaceChange, type FaceEdit, faceChange } from './face.js';
import type { Face, OwnName, OwnNames } from './state.js';

/** Earlier names are kept for reverts. */
const maxOwnNames = 8;

export const withOwnName = (own: OwnNames, { name, named_by }: OwnName): OwnNames => {
  const last = own.at(-1);
  return last?.name === name && last.named_by === named_by ? own : [...own, { name, named_by }].slice(-maxOwnNames);
};

/**
 * The own names after a change was undone: the restored one is the newest again. Those given since become the oldest:
 * still known as the face's own, but none that the face would keep without its speaker's name.
 */
const withNameBack = (own: OwnNames, { before, after }: FaceEdit): OwnNames => {
  if (before.name === after.name) return own;
  const restored = own.findLastIndex(({ name }) => name === after.name);
  const kept = restored === -1 && own.at(-1)?.name === before.name ? own.length - 1 : restored + 1;
  return [...own.slice(kept), ...own.slice(0, kept)];
};

type Faces = ReadonlyMap<FaceId, Face>;

/** Changes existing faces. Copies the map once, however many faces change. */
export const withFaces = (
  faces: Faces,
  changes: ReadonlyArray<{ readonly face_id: FaceId; readonly change: Partial<Face> }>,
): Faces => {
  const next = new Map(faces);
  for (const { face_id, change } of changes) {
    const face = next.get(face_id);
    if (face !== undefined) next.set(face_id, { ...face, ...change });
  }
  return next;
};

/** Properties of a set of changes made together. */
export interface Changing {
  readonly at: Timestamp;
  /** True for matches: a face without a real name adopts its speaker's name. */
  readonly adopts: boolean;
}

/** The date and origin of a face's name after a change; null if neither name nor speaker changed. */
export const nameDate = (
  { before, after, named_by }: FaceEdit,
  { at, adopts }: Changing,
  was: NamedBy = 'analysis',
): Pick<Face, 'named_at' | 'name_origin'> | null => {
  if (before.name === after.name && before.speaker_id === after.speaker_id) return null;
  const adopted =
    adopts && (after.speaker_id ?? null) !== null && !isRealName(before.name ?? null, named_by?.before ?? was);
  return { named_at: at, name_origin: adopted ? 'adopted' : 'own' };
};

/** Applies changes made at one time. */
export const withChanges = (faces: Faces, changes: ReadonlyArray<FaceEdit>, changing: Changing): Faces => {
  if (changes.length === 0) return faces;
  const next = new Map(faces);
  for (const change of changes) {
    const { face_id, after } = change;
    const face = next.get(face_id);
    if (face === undefined) continue;
    next.set(face_id, {
      ...face,
      ...after,
      ...nameDate(change, changing, face.named_by),
      named_by: change.named_by?.after ?? face.named_by,
      own: changing.adopts ? face.own : withNameBack(face.own, change),
    });
  }
  return next;
};

/** Applies changes that restore earlier names and speakers, or pass matches on with their names. */
export const putBack = (faces: Faces, changes: ReadonlyArray<FaceEdit>, at: Timestamp): Faces =>
  withChanges(faces, changes, { at, adopts: false });

/**
 * Applies changes for withdrawn speakers. A name that a person gave to both face and speaker stays shared when the face
 * gets another speaker.
 */
export const withHandovers = (faces: Faces, changes: ReadonlyArray<FaceChange>, at: Timestamp): Faces => {
  const shared = changes.filter(
    ({ face_id, named_by, after }) =>
      named_by === null && after.speaker_id !== null && faces.get(face_id)?.name_origin === 'shared',
  );
  return withFaces(
    putBack(faces, changes, at),
    shared.map(({ face_id }) => ({ face_id, change: { name_origin: 'shared' } })),
  );
};

/** Marks the names of these speakers' faces as given by a person to both face and speaker. */
export const withSharedNames = (
  faces: Faces,
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>,
  at: Timestamp,
): Faces => {
  if (speakers.length === 0) return faces;
  const named = new Set(speakers.map(({ speaker_id }) => speaker_id));
  return new Map(
    [...faces].map(([face_id, face]) => [
      face_id,
      face.speaker_id !== null && named.has(face.speaker_id)
        ? {
            ...face,
            named_by: 'person',
            named_at: at,
            name_origin: 'shared',
            own: withOwnName(face.own, { name: face.name, named_by: 'person' }),
          }
        : face,
    ]),
  );
};

/** Returns `at`, or a later time so that it follows the dates of all names of faces and speakers. */
export const laterThanAllNames = (at: Timestamp, faces: Faces, audio: AudioFacts | null): Timestamp =>
  laterThan(at, [audio?.renamed_at ?? null, ...[...faces.values()].map(({ named_at }) => named_at)]);

/** The changes of faces that lose their speaker. */
const withoutSpeaker = (face: Face): FaceChange =>
  faceChange(face, { ...face, speaker_id: null, accuracy: null, personality_traits: null });

/** Matches follow the voices: one with a discontinued speaker ends as by a deletion. */
export const withSpeakersFollowed = (faces: Faces, renumbering: Renumbering<SpeakerId>, at: Timestamp): Faces => {
  const follow = followIds([renumbering]);
  const moved: { readonly face_id: FaceId; readonly change: Partial<Face> }[] = [];
  const ended: FaceChange[] = [];
  for (const face of faces.values()) {
    const { face_id, speaker_id: before } = face;
    const after = before === null ? null : follow(before);
    if (after === before) continue;
    if (after === null) ended.push(withoutSpeaker(face));
    else moved.push({ face_id, change: { speaker_id: after } });
  }
  return putBack(moved.length === 0 ? faces : withFaces(faces, moved), ended, at);
};

/** Own names of a face that has another number: labels generated from the number follow it. */
export const ownNamesAs = (own: OwnNames, from: FaceId, to: FaceId): OwnNames =>
  from === to
    ? own
    : own.map((one) => (one.name === generatedFaceLabel(from) ? { ...one, name: generatedFaceLabel(to) } : one));
