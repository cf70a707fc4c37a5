import type { FaceId, RunId, SpeakerId } from '../kernel/ids.js';
import { isRealName } from '../kernel/names.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { AudioFacts } from './contract.js';
import type { FaceChange } from './face.js';
import type { Face, NameOrigin } from './state.js';

type Faces = ReadonlyMap<FaceId, Face>;

export const withFace = (faces: Faces, face_id: FaceId, change: Partial<Face>): Faces => {
  const face = faces.get(face_id);
  return face === undefined ? faces : new Map(faces).set(face_id, { ...face, ...change });
};

/** A face that has a speaker and no name of its own goes by the speaker's. */
const originOf = ({ before, after }: FaceChange): NameOrigin =>
  after.speaker_id !== null && !isRealName(before.name) ? 'adopted' : 'own';

/** A change of the accuracy alone leaves the name as it was dated. */
const dating = (change: FaceChange, at: Timestamp): Partial<Face> =>
  change.before.name === change.after.name && change.before.speaker_id === change.after.speaker_id
    ? {}
    : { named_at: at, name_origin: originOf(change) };

/** What the faces are after changes made at one time, by a run's write-back or by something else. */
export const withChanges = (
  faces: Faces,
  changes: ReadonlyArray<FaceChange>,
  at: Timestamp,
  run_id: RunId | null,
): Faces => {
  if (changes.length === 0) return faces;
  const next = new Map(faces);
  for (const change of changes) {
    const { face_id, before, after } = change;
    const face = next.get(face_id);
    if (face === undefined) continue;
    next.set(face_id, {
      ...face,
      ...after,
      ...dating(change, at),
      named_by_edit: face.named_by_edit || before.name !== after.name,
      changed_by_run: run_id,
    });
  }
  return next;
};

/** A person gave these speakers and the faces that are matched to them one name each. */
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
      face.speaker_id !== null && named.has(face.speaker_id) ? { ...face, named_at: at, name_origin: 'shared' } : face,
    ]),
  );
};

/** Later than every name that the decision was made on, of faces and speakers: so dates are in the order of decisions. */
export const datedLast = (at: Timestamp, faces: Faces, audio: AudioFacts | null): Timestamp =>
  laterThan(at, [audio?.renamed_at ?? null, ...[...faces.values()].map(({ named_at }) => named_at)]);
