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
import { at, faceId, speakerId } from '../../support/values.js';
import { change, faceOf, facesOf } from '../../support/video-events.js';

const named = (name: string | null, named_by: NamedBy = 'analysis'): Naming => ({ name, named_by });

const [one, two] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }];

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

  const ownAfter = (own: readonly Naming[], made: FaceChange) =>
    restore(facesOf(faceOf(1, { own })), [made], at(5)).get(faceId(1))?.own;

  const [ann, bob, eve] = [named('Ann'), named('Bob', 'person'), named('Eve', 'person')];

  it('end with the earlier name that an undo restores, and still have those given since', () => {
    expect(ownAfter([ann, bob, eve], change(1, { name: 'Eve' }, { name: 'Ann' }))).to.deep.equal([bob, eve, ann]);
    expect(ownAfter([ann, bob, eve], change(1, { name: 'Eve' }, { name: 'Bob' }))).to.deep.equal([eve, ann, bob]);
    expect(ownAfter([eve, ann, bob], change(1, { name: 'Bob' }, { name: 'Eve' }))).to.deep.equal([ann, bob, eve]);
  });
});

describe('the date and origin of a name', () => {
  const originAfter = (made: FaceChange, adopts: boolean, was?: NamedBy) => nameDate(made, { at: at(5), adopts }, was);

  it('say that a matched face without a real name adopted its name', () => {
    const made = change(1, { name: 'Face 1' }, { name: 'Ann', ...one });
    expect(originAfter(made, true)).to.deep.equal({ named_at: at(5), name_origin: 'adopted' });
    expect(originAfter(made, false)).to.deep.equal({ named_at: at(5), name_origin: 'own' });
  });

  it('say that a face with a real name, or without a speaker, has its own name', () => {
    const own = { named_at: at(5), name_origin: 'own' };
    expect(originAfter(change(1, { name: 'Bob' }, { name: 'Bob', ...one }), true)).to.deep.equal(own);
    expect(originAfter(change(1, { name: 'Face 1', ...one }, { name: 'Face 1' }), true)).to.deep.equal(own);
  });

  it('depend on who gave the name: a name like a placeholder is real if a person gave it', () => {
    const made = change(1, { name: 'Unknown' }, { name: 'Unknown', ...one });
    expect(originAfter(made, true)?.name_origin).to.equal('adopted');
    expect(originAfter(made, true, 'person')?.name_origin).to.equal('own');
    const wasPersons = change(1, { name: 'Unknown' }, { name: 'Unknown', ...one }, ['person', 'analysis']);
    expect(originAfter(wasPersons, true)?.name_origin).to.equal('own');
  });
});

describe('shared names', () => {
  const shared = faceOf(1, { name: 'Ann', ...one, name_origin: 'shared', named_by: 'person' });
  const originAfter = (face: Face, after: Partial<FaceAttributes>, whose?: Parameters<typeof change>[3]) =>
    withHandovers(facesOf(face), [change(1, face, { name: 'Ann', ...after }, whose)], at(5)).get(faceId(1))
      ?.name_origin;

  it('stay shared if the face gets another speaker', () => {
    expect(originAfter(shared, { ...two })).to.equal('shared');
  });

  it('become own if the face loses its speaker or gets another name, or were not shared', () => {
    expect(originAfter(shared, { speaker_id: null })).to.equal('own');
    expect(originAfter(shared, { ...two, name: 'Bob' }, ['person', 'speaker'])).to.equal('own');
    expect(originAfter({ ...shared, name_origin: 'adopted' }, { ...two })).to.equal('own');
  });

  it('are those of the faces of the named speakers', () => {
    const faces = facesOf(
      faceOf(1, { name: 'Ann', ...one }),
      faceOf(2, { name: 'Bob', ...two }),
      faceOf(3, { name: 'Eve' }),
    );
    expect(withSharedNames(faces, [{ ...one }], at(5))).to.deep.equal(
      facesOf(
        faceOf(1, {
          name: 'Ann',
          ...one,
          named_by: 'person',
          named_at: at(5),
          name_origin: 'shared',
          own: [named('Ann', 'person')],
        }),
        faceOf(2, { name: 'Bob', ...two }),
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
