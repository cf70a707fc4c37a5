import { expect } from 'chai';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { AudioFacts } from '../../../domain/video/audio-facts.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/face.js';
import { restoreFaces, restoreFields, withoutWithdrawn } from '../../../domain/video/restore-faces.js';
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

const [one, two, three] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }, { speaker_id: speakerId(3) }];
const byPerson = { before: 'analysis', after: 'person' } as const;

describe('undoing changes of faces, field by field', () => {
  const undo = (faces: readonly Face[], changes: readonly FaceChange[], audio: AudioFacts | null = audioOf(1, 2, 3)) =>
    restoreFields(facesOf(...faces), changes, audio);
  const summaryOf = (given: ReturnType<typeof undo>) => ({
    after: given.changes.map(({ face_id, after }) => [face_id, after.name, after.speaker_id, after.accuracy]),
    reverted: given.reverted,
    changed_since: given.changed_since,
  });

  it('restores a name with who gave it', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Bob' }, byPerson);
    const { changes, reverted, changed_since } = undo([faceOf(1, { name: 'Bob' }, 'person')], [change]);
    expect(changes).to.deep.equal([
      changeOf(1, { name: 'Bob' }, { name: 'Ann' }, { before: 'person', after: 'analysis' }),
    ]);
    expect([reverted, changed_since]).to.deep.equal([[{ record: 'face', id: 1, fields: ['name'] }], []]);
  });

  it('leaves a name that was changed since, or claimed by somebody else', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Bob' }, { before: 'analysis', after: 'speaker' });
    for (const now of [faceOf(1, { name: 'Eve' }, 'speaker'), faceOf(1, { name: 'Bob' }, 'person')])
      expect(undo([now], [change])).to.deep.equal({
        changes: [],
        reverted: [],
        changed_since: [{ record: 'face', id: 1, fields: ['name'] }],
      });
    expect(undo([faceOf(1, { name: 'Ann' })], [change])).to.deep.equal({
      changes: [],
      reverted: [],
      changed_since: [],
    });
  });

  it('restores a speaker with the accuracy', () => {
    const change = changeOf(1, { ...one, accuracy: 0.5 }, { ...two, accuracy: 0.9 });
    expect(summaryOf(undo([faceOf(1, { ...two, accuracy: 0.9 })], [change]))).to.deep.equal({
      after: [[1, null, 1, 0.5]],
      reverted: [{ record: 'face', id: 1, fields: ['speaker_id', 'accuracy'] }],
      changed_since: [],
    });
    const again = changeOf(1, { ...one, accuracy: 0.5 }, { ...one, accuracy: null });
    expect(summaryOf(undo([faceOf(1, one)], [again])).after).to.deep.equal([[1, null, 1, 0.5]]);
    expect(summaryOf(undo([faceOf(1, two)], [again])).after).to.deep.equal([]);
  });

  it('does not restore a speaker that was removed or has another face', () => {
    const change = changeOf(1, one, two);
    const left = {
      after: [],
      reverted: [],
      changed_since: [{ record: 'face', id: 1, fields: ['speaker_id'] }],
    };
    expect(summaryOf(undo([faceOf(1, two)], [change], audioOf(2)))).to.deep.equal(left);
    expect(summaryOf(undo([faceOf(1, two)], [change], null))).to.deep.equal(left);
    expect(summaryOf(undo([faceOf(1, two), faceOf(2, one)], [change]))).to.deep.equal(left);
  });

  it('exchanges speakers, as long as each has a face', () => {
    const swapped = [changeOf(1, one, two), changeOf(2, two, one)];
    expect(summaryOf(undo([faceOf(1, two), faceOf(2, one)], swapped)).after).to.deep.equal([
      [1, null, 1, null],
      [2, null, 2, null],
    ]);
    const chain = [changeOf(1, one, two), changeOf(2, two, three)];
    expect(summaryOf(undo([faceOf(1, two), faceOf(2, three), faceOf(3, one)], chain)).after).to.deep.equal([]);
    const heirs = [changeOf(1, one, two), changeOf(2, one, three)];
    expect(summaryOf(undo([faceOf(1, two), faceOf(2, three)], heirs)).after).to.deep.equal([[2, null, 1, null]]);
    expect(summaryOf(undo([faceOf(1, two)], [changeOf(1, {}, two)], null)).after).to.deep.equal([
      [1, null, null, null],
    ]);
  });

  it('compares personality data by value', () => {
    const [before, after] = [{ personality_traits: { calm: 1 } }, { personality_traits: { calm: 2 } }];
    const change = changeOf(1, before, after);
    const { changes, changed_since } = undo([faceOf(1, { personality_traits: { calm: 2 } })], [change]);
    expect(changes[0]?.after).to.deep.equal(attributes(before));
    expect(changed_since).to.deep.equal([]);
    expect(undo([faceOf(1, { personality_traits: { calm: 3 } })], [change]).changed_since).to.deep.equal([
      { record: 'face', id: 1, fields: ['personality_traits'] },
    ]);
  });

  it('reports the changed fields of faces that no longer exist', () => {
    const change = changeOf(1, { name: 'Ann', ...one }, { name: 'Bob', ...one, accuracy: 0.5 }, byPerson);
    expect(undo([], [change])).to.deep.equal({
      changes: [],
      reverted: [],
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

  it('restores faces of which nothing was changed since', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Bob', ...one, accuracy: 0.9 }, byPerson);
    const now = { name: 'Bob', ...one, accuracy: 0.9 };
    expect(undo([faceOf(1, now, 'person')], [change])).to.deep.equal([[[1, 'Ann', null]], []]);
    for (const touched of [
      faceOf(1, { ...now, name: 'Eve' }, 'person'),
      faceOf(1, now, 'speaker'),
      faceOf(1, { ...now, ...two }, 'person'),
      faceOf(1, { ...now, accuracy: 0.8 }, 'person'),
      faceOf(1, { ...now, personality_traits: {} }, 'person'),
    ])
      expect(undo([touched], [change]), JSON.stringify(touched)).to.deep.equal([[], [1]]);
    expect(undo([], [change])).to.deep.equal([[], [1]]);
  });

  it('ignores a claim of the earlier name', () => {
    const change = changeOf(1, { name: 'Ann' }, { name: 'Ann', ...one }, byPerson);
    expect(undo([faceOf(1, { name: 'Ann', ...one }, 'speaker')], [change])[1]).to.deep.equal([]);
  });

  it('leaves faces whose earlier speaker has another face', () => {
    const change = changeOf(1, one, two);
    expect(undo([faceOf(1, two)], [change])).to.deep.equal([[[1, null, 1]], []]);
    expect(undo([faceOf(1, two)], [change], audioOf(2))).to.deep.equal([[], [1]]);
    expect(undo([faceOf(1, two), faceOf(2, one)], [change])).to.deep.equal([[], [1]]);
    expect(undo([faceOf(1, one)], [change])).to.deep.equal([[], []]);
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
