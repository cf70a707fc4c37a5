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
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type MatchedName, type SpeakerName, divergedNames } from '../../../domain/video/link-faces.js';
import type { FollowSpeakerNames, WithdrawSpeaker } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { at, faceId, speakerId, audioId } from '../../support/values.js';
import {
  change,
  faceOf,
  facesOf,
  completed,
  face,
  facesMatched,
  renamedFaces,
  theVideo,
} from '../../support/video-events.js';
import { on } from '../../support/reverts.js';

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
    const faces = facesOf(faceOf(1, { name: 'Ann', ...one }), faceOf(2, { name: 'Bob', ...two }));
    const after = withSharedNames(faces, [one], at(5));
    const own = [named('Ann', 'person')];
    const shares = { named_by: 'person', named_at: at(5), name_origin: 'shared', own } as const;
    expect(after.get(faceId(1))).to.deep.equal(faceOf(1, { name: 'Ann', ...one, ...shares }));
    expect(after.get(faceId(2))).to.equal(faces.get(faceId(2)));
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

describe('names that have diverged', () => {
  const of = (face: Partial<MatchedName>, speaker: Partial<SpeakerName> | null) =>
    divergedNames(
      [{ speaker_id: speakerId(1), name: 'Ann', named_at: at(5), name_origin: 'own', ...face }],
      speaker === null
        ? new Map<SpeakerId, SpeakerName>()
        : new Map([
            [speakerId(1), { name: 'Bob', named_by: 'person', renamed_at: at(9), name_put_back: false, ...speaker }],
          ]),
    );
  const nothing = { for_faces: [], for_speakers: [], gone: [] };
  const forFace = { ...nothing, for_faces: [{ speaker_id: 1, name: 'Bob', named_by: 'person', at: at(9) }] };

  it('follow the speaker if its name is newer, or replaced the name that the face adopted', () => {
    expect(of({}, {})).to.deep.equal(forFace);
    expect(of({ named_at: null }, {})).to.deep.equal(forFace);
    expect(of({ named_at: at(10), name_origin: 'adopted' }, {})).to.deep.equal(forFace);
    expect(of({}, { named_by: 'analysis' }).for_faces[0]?.named_by).to.equal('speaker');
  });

  it('follow the face if a person gave its name to both, later', () => {
    const forSpeaker = { ...nothing, for_speakers: [{ speaker_id: 1, name: 'Ann', named_by: 'person', at: at(9) }] };
    expect(of({ named_at: at(9), name_origin: 'shared' }, {})).to.deep.equal(forSpeaker);
    expect(of({ named_at: at(9), name_origin: 'shared' }, { renamed_at: null })).to.deep.equal(forSpeaker);
    expect(of({ named_at: at(9), name_origin: 'shared' }, { name: null })).to.deep.equal(forSpeaker);
    expect(of({ named_at: null, name_origin: 'shared' }, { renamed_at: null })).to.deep.equal(nothing);
    expect(of({ named_at: at(9), name: null, name_origin: 'shared' }, {})).to.deep.equal(nothing);
  });

  it('stay if they agree, if the face has its own newer name, and if the speaker’s name was restored', () => {
    expect(of({ name: 'Bob' }, {})).to.deep.equal(nothing);
    expect(of({ named_at: at(9) }, {})).to.deep.equal(nothing);
    expect(of({}, { name_put_back: true })).to.deep.equal(nothing);
    expect(of({ named_at: at(4), name_origin: 'shared' }, { name_put_back: true })).to.deep.equal(nothing);
  });

  it('have no speaker any more', () => expect(of({}, null)).to.deep.equal({ ...nothing, gone: [1] }));
});

const rename = (audio: string, ...speakers: ReadonlyArray<readonly [number, string]>): FollowSpeakerNames => ({
  type: 'FollowSpeakerNames',
  audio_id: audioId(audio),
  audio_revision: 7,
  speakers: speakers.map(([id, name]) => ({
    speaker_id: speakerId(id),
    name,
    named_by: 'person' as const,
    claimed: false,
  })),
  current: false,
  at: at(10),
});
const renamed = (seconds: number, ...faces: Parameters<typeof renamedFaces>[1]): VideoEvent =>
  renamedFaces(seconds, faces, { kind: 'speaker_renamed', audio_id: audioId('a'), audio_revision: 7 });

const video = completed(face(1, 'Ann', on(1, 'Ann')), face(2, 'Zoe', on(2, 'Zoe')), face(3, 'Max'));
const toEve = rename('a', [1, 'Eve']);

describe('a renamed speaker (contract, Speaker-face match)', () => {
  theVideo.given(...video).tests({
    'renames its matched face, even over a real name, and records the overwritten one': [
      rename('a', [1, 'Eve'], [9, 'Max']),
      [renamed(10, [1, 'Eve', 'Ann'])],
    ],
    'renames no face that has another speaker': [rename('a', [3, 'Eve']), []],
    'of another audio renames no face': [rename('other', [1, 'Eve']), []],
  });
  it('renames a face that was changed before, and leaves one changed later or at the same time', () => {
    const byHand = (seconds: number) =>
      theVideo.given(
        ...video,
        facesMatched(seconds, [change(1, on(1, 'Ann'), on(1, 'Bea'), ['analysis', 'analysis'])]),
      );
    byHand(9).cases([toEve, [renamed(10, [1, 'Eve', 'Bea'])]]);
    for (const seconds of [10, 11]) byHand(seconds).cases([toEve, []], [{ ...toEve, current: true }, []]);
  });
  it('renames a face that adopted its name later, if the name is current', () => {
    const adopted = facesMatched(11, [change(1, on(null, 'Face 1'), on(1, 'Ann'))]);
    const given = theVideo.given(...completed(face(1, 'Face 1')), adopted);
    given.cases([toEve, []]);
    const [event] = given.events({ ...toEve, current: true });
    expect(event?.type === 'FacesRenamed' && event.data.faces.map(({ name }) => name)).to.deep.equal(['Eve']);
  });
  it('whose name a person confirms: only faces with this name are marked', () => {
    const claim = (named_by: 'person' | 'analysis'): FollowSpeakerNames => ({
      ...toEve,
      speakers: [1, 2].map((id) => ({ speaker_id: speakerId(id), name: 'Ann', named_by, claimed: true })),
    });
    const marked = renamed(10, [1, 'Ann', 'Ann']);
    theVideo.given(...video).cases([claim('person'), [marked]], [claim('analysis'), []]);
    theVideo.given(...video, marked).cases([claim('person'), []]);
  });
});

describe('a withdrawn speaker', () => {
  const withdraw = (speaker: number, merged_into: WithdrawSpeaker['merged_into'] = null): WithdrawSpeaker => ({
    type: 'WithdrawSpeaker',
    audio_revision: 1,
    speaker_id: speakerId(speaker),
    name: 'Ann',
    merged_into,
    at: at(20),
  });
  const into = (id: number, name: string | null = null, named_by: 'person' | 'analysis' = 'analysis') => ({
    speaker_id: speakerId(id),
    name,
    named_by,
  });
  const withdrawn = (merged_into: number | null, ...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
    type: 'SpeakerWithdrawn',
    data: {
      speaker_id: speakerId(1),
      merged_into: merged_into === null ? null : speakerId(merged_into),
      changes,
      at: at(20),
    },
  });
  const known = { accuracy: 0.9, personality_traits: { calm: 1 } };
  const lost = change(1, on(1, 'Ann', known), on(null, 'Ann'));
  const handedOn = (was: string, name: string, whose?: Parameters<typeof change>[3]) =>
    change(1, on(1, was, known), on(5, name, known), whose);
  const named = (name: string) =>
    theVideo.given(...completed(face(1, name, on(1, name, known)), face(2, 'Zoe', on(2, 'Zoe'))));

  named('Ann').tests({
    'that was deleted: its face loses it and keeps its name': [withdraw(1), [withdrawn(null, lost)]],
    'that was merged: its face goes to the other one': [withdraw(1, into(5)), [withdrawn(5, handedOn('Ann', 'Ann'))]],
    'that was merged into one with a face: its own face stays without a speaker': [
      withdraw(1, into(2)),
      [withdrawn(2, lost)],
    ],
    'without a face: no event': [withdraw(7, into(2)), []],
    'gives its face the name of the other one if the face had its name': [
      withdraw(1, into(5, 'Bea', 'person')),
      [withdrawn(5, handedOn('Ann', 'Bea'))],
    ],
    'gives its face no placeholder': [withdraw(1, into(5, 'SPEAKER_02')), [withdrawn(5, handedOn('Ann', 'Ann'))]],
  });
  it('gives its face a real name instead of a placeholder, but not instead of a name of its own', () => {
    const bea = withdraw(1, into(5, 'Bea'));
    named('Face 1').cases([bea, [withdrawn(5, handedOn('Face 1', 'Bea', ['analysis', 'speaker']))]]);
    named('Zoe').cases([bea, [withdrawn(5, handedOn('Zoe', 'Zoe'))]]);
  });
});
