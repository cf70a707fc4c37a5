import { expect } from 'chai';
import type { NamedBy, Naming } from '../../../domain/kernel/names.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import {
  type Face,
  laterThanAllNames,
  nameDate,
  restore,
  withHandovers,
  withOwnName,
  withSharedNames,
} from '../../../domain/video/state.js';
import { attributes } from '../../support/video-events.js';
import { at, faceId, speakerId } from '../../support/values.js';

const named = (name: string | null, named_by: NamedBy = 'analysis'): Naming => ({ name, named_by });

const faceOf = (id: number, parts: Partial<Face> = {}): Face => ({
  ...attributes({}),
  face_id: faceId(id),
  named_by: 'analysis',
  named_at: null,
  name_origin: 'own',
  own: [],
  ...parts,
});

const facesOf = (...all: readonly Face[]) => new Map(all.map((face) => [face.face_id, face]));

const changeOf = (
  id: number,
  before: Partial<FaceAttributes>,
  after: Partial<FaceAttributes>,
  named_by: FaceChange['named_by'] = null,
): FaceChange => ({ face_id: faceId(id), before: attributes(before), after: attributes(after), named_by });

const [speakerOne, speakerTwo] = [speakerId(1), speakerId(2)];

describe('the own names of a face', () => {
  it('grow by a new name, and by the same name from another source', () => {
    expect(withOwnName([], named('Ann'))).to.deep.equal([named('Ann')]);
    expect(withOwnName([named('Ann')], named('Ann'))).to.deep.equal([named('Ann')]);
    expect(withOwnName([named('Ann')], named('Ann', 'person'))).to.deep.equal([named('Ann'), named('Ann', 'person')]);
  });

  it('are the newest eight', () => {
    const names = Array.from({ length: 9 }, (_, number) => named(`Name ${number}`));
    expect(names.reduce(withOwnName, [])).to.deep.equal(names.slice(1));
  });

  const ownAfter = (own: readonly Naming[], change: FaceChange) =>
    restore(facesOf(faceOf(1, { own })), [change], at(5)).get(faceId(1))?.own;

  const [ann, bob, eve] = [named('Ann'), named('Bob', 'person'), named('Eve', 'person')];

  it('end with the earlier name that an undo restores, and still have those given since', () => {
    expect(ownAfter([ann, bob, eve], changeOf(1, { name: 'Eve' }, { name: 'Ann' }))).to.deep.equal([bob, eve, ann]);
    expect(ownAfter([ann, bob, eve], changeOf(1, { name: 'Eve' }, { name: 'Bob' }))).to.deep.equal([eve, ann, bob]);
    expect(ownAfter([eve, ann, bob], changeOf(1, { name: 'Bob' }, { name: 'Eve' }))).to.deep.equal([ann, bob, eve]);
  });
});

describe('the date and origin of a name', () => {
  const originAfter = (change: FaceChange, adopts: boolean, was?: NamedBy) =>
    nameDate(change, { at: at(5), adopts }, was);

  it('say that a matched face without a real name adopted its name', () => {
    const change = changeOf(1, { name: 'Face 1' }, { name: 'Ann', speaker_id: speakerOne });
    expect(originAfter(change, true)).to.deep.equal({ named_at: at(5), name_origin: 'adopted' });
    expect(originAfter(change, false)).to.deep.equal({ named_at: at(5), name_origin: 'own' });
  });

  it('say that a face with a real name, or without a speaker, has its own name', () => {
    const own = { named_at: at(5), name_origin: 'own' };
    expect(originAfter(changeOf(1, { name: 'Bob' }, { name: 'Bob', speaker_id: speakerOne }), true)).to.deep.equal(own);
    expect(
      originAfter(changeOf(1, { name: 'Face 1', speaker_id: speakerOne }, { name: 'Face 1' }), true),
    ).to.deep.equal(own);
  });

  it('depend on who gave the name: a name like a placeholder is real if a person gave it', () => {
    const change = changeOf(1, { name: 'Unknown' }, { name: 'Unknown', speaker_id: speakerOne });
    expect(originAfter(change, true)?.name_origin).to.equal('adopted');
    expect(originAfter(change, true, 'person')?.name_origin).to.equal('own');
    const wasPersons = { ...change, named_by: { before: 'person', after: 'analysis' } as const };
    expect(originAfter(wasPersons, true)?.name_origin).to.equal('own');
  });
});

describe('shared names', () => {
  const shared = faceOf(1, { name: 'Ann', speaker_id: speakerOne, name_origin: 'shared', named_by: 'person' });
  const originAfter = (face: Face, after: Partial<FaceAttributes>, named_by: FaceChange['named_by'] = null) =>
    withHandovers(facesOf(face), [changeOf(1, face, { name: 'Ann', ...after }, named_by)], at(5)).get(faceId(1))
      ?.name_origin;

  it('stay shared if the face gets another speaker', () => {
    expect(originAfter(shared, { speaker_id: speakerTwo })).to.equal('shared');
  });

  it('become own if the face loses its speaker or gets another name, or were not shared', () => {
    expect(originAfter(shared, { speaker_id: null })).to.equal('own');
    const renamed = { before: 'person', after: 'speaker' } as const;
    expect(originAfter(shared, { speaker_id: speakerTwo, name: 'Bob' }, renamed)).to.equal('own');
    expect(originAfter({ ...shared, name_origin: 'adopted' }, { speaker_id: speakerTwo })).to.equal('own');
  });

  it('are those of the faces of the named speakers', () => {
    const faces = facesOf(
      faceOf(1, { name: 'Ann', speaker_id: speakerOne }),
      faceOf(2, { name: 'Bob', speaker_id: speakerTwo }),
      faceOf(3, { name: 'Eve' }),
    );
    expect(withSharedNames(faces, [{ speaker_id: speakerOne }], at(5))).to.deep.equal(
      facesOf(
        faceOf(1, {
          name: 'Ann',
          speaker_id: speakerOne,
          named_by: 'person',
          named_at: at(5),
          name_origin: 'shared',
          own: [named('Ann', 'person')],
        }),
        faceOf(2, { name: 'Bob', speaker_id: speakerTwo }),
        faceOf(3, { name: 'Eve' }),
      ),
    );
  });
});

describe('the time of a change of names', () => {
  const audio = { status: 'completed', speakers: [], renamed_at: at(7), renumbered_at: -1 } as const;

  it('follows the newest name of a face or speaker', () => {
    const next = (seconds: number) => new Date(Date.parse(at(seconds)) + 1).toISOString();
    expect(laterThanAllNames(at(6), facesOf(faceOf(1, { named_at: at(8) })), audio)).to.equal(next(8));
    expect(laterThanAllNames(at(6), facesOf(faceOf(1)), audio)).to.equal(next(7));
  });
});
