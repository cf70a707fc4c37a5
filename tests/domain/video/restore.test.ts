import { expect } from 'chai';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { AudioFacts } from '../../../domain/video/contract.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import { restoreFaces, restoreFields, withoutWithdrawn } from '../../../domain/video/decisions/revert-change.js';
import type { Face } from '../../../domain/video/state.js';
import { attributes } from '../../support/video-events.js';
import { faceId, speakerId } from '../../support/values.js';

const faceOf = (id: number, parts: Partial<FaceAttributes> = {}, named_by: NamedBy = 'analysis'): Face => ({
  ...attributes(parts),
  face_id: faceId(id),
  named_by,
  named_at: null,
  name_origin: 'own',
  own: [],
});

const facesOf = (...all: readonly Face[]) => new Map(all.map((one) => [one.face_id, one]));

const changeOf = (
  id: number,
  before: Partial<FaceAttributes>,
  after: Partial<FaceAttributes>,
  named_by: FaceChange['named_by'] = null,
): FaceChange => ({ face_id: faceId(id), before: attributes(before), after: attributes(after), named_by });

const audioOf = (...ids: readonly number[]): AudioFacts => ({
  status: 'completed',
  renamed_at: null,
  renumbered_at: -1,
  speakers: ids.map((id) => ({ speaker_id: speakerId(id), name: null, named_by: 'analysis', synthetic: false })),
});

const [one, two] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }];
const byPerson = { before: 'analysis', after: 'person' } as const;

describe('undoing changes of faces, field by field', () => {
  const undo = (faces: readonly Face[], changes: readonly FaceChange[], audio: AudioFacts | null = audioOf(1, 2, 3)) =>
    restoreFields(facesOf(...faces), changes, audio);

  it('leaves a name that was changed since, or claimed by somebody else', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Bob' }, { before: 'analysis', after: 'speaker' });
    for (const now of [faceOf(1, { name: 'Eve' }, 'speaker'), faceOf(1, { name: 'Bob' }, 'person')])
      expect(undo([now], [change])).to.deep.equal({
        changes: [],
        changed_since: [{ record: 'face', id: 1, fields: ['name'] }],
      });
    expect(undo([faceOf(1, { name: 'Ann' })], [change])).to.deep.equal({
      changes: [],
      changed_since: [],
    });
  });

  it('restores a speaker with the accuracy, and an accuracy only to its own match', () => {
    const afterUndo = (now: Face, change: FaceChange) =>
      undo([now], [change]).changes.map(({ after }) => [after.speaker_id, after.accuracy]);
    const moved = changeOf(1, { ...one, accuracy: 0.5 }, { ...two, accuracy: 0.9 });
    expect(afterUndo(faceOf(1, { ...two, accuracy: 0.9 }), moved)).to.deep.equal([[1, 0.5]]);
    const again = changeOf(1, { ...one, accuracy: 0.5 }, { ...one, accuracy: null });
    expect(afterUndo(faceOf(1, one), again)).to.deep.equal([[1, 0.5]]);
    expect(afterUndo(faceOf(1, two), again)).to.deep.equal([]);
  });

  it('reports the changed fields of faces that no longer exist', () => {
    const change = changeOf(1, { name: 'Ann', ...one }, { name: 'Bob', ...one, accuracy: 0.5 }, byPerson);
    expect(undo([], [change])).to.deep.equal({
      changes: [],
      changed_since: [{ record: 'face', id: 1, fields: ['name', 'accuracy'] }],
    });
  });
});

describe('undoing changes of faces, face by face', () => {
  const undo = (
    faces: readonly Face[],
    changes: readonly FaceChange[],
    audio: AudioFacts | null = audioOf(1, 2, 3),
  ) => {
    const { changes: undone, changed_since } = restoreFaces(facesOf(...faces), changes, audio);
    return [undone.map(({ face_id, after }) => [face_id, after.name, after.speaker_id]), changed_since];
  };

  it('ignores a claim of the earlier name', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Ann', ...one }, byPerson);
    expect(undo([faceOf(1, { name: 'Ann', ...one }, 'speaker')], [change])[1]).to.deep.equal([]);
  });

  it('does not restore removed speakers', () => {
    const changes = [
      changeOf(1, { name: 'Ann', ...one, accuracy: 0.5 }, two),
      changeOf(2, { ...two, accuracy: 0.5 }, {}),
      changeOf(3, {}, two),
    ];
    expect(withoutWithdrawn(changes, audioOf(2))).to.deep.equal([
      changeOf(1, { name: 'Ann' }, two),
      changes[1],
      changes[2],
    ]);
  });
});
