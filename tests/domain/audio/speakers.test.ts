import { expect } from 'chai';
import type { AudioCommand, ApplyInference } from '../../../domain/audio/contract.js';
import type { AudioEvent, AudioData } from '../../../domain/audio/events.js';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import { registeredIn } from '../../support/specification.js';
import {
  completedAudio,
  registeredAudio,
  renamedSpeakers,
  speaker,
  theAudio,
  analysedAudio,
} from '../../support/audio-events.js';
import { at, personName, speakerId, videoId, runId } from '../../support/values.js';

type Renames = ReadonlyArray<readonly [id: number, name: string]>;

const rename = (...speakers: Renames): AudioCommand => ({
  type: 'RenameSpeakers',
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name: personName(name) })),
  at: at(5),
});
const follow = (...speakers: Renames): AudioCommand => ({
  type: 'FollowFaceMatch',
  video_id: videoId('v'),
  video_revision: 4,
  renumbered_at: -1,
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name })),
  at: at(9),
});
const faceMatch = { kind: 'face_match', video_id: videoId('v'), video_revision: 4 } as const;
const twice = { _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) } as const;

const role_by = { before: 'analysis', after: 'person' } as const;
const two = completedAudio(speaker(1, 'Ann'), speaker(2, null));

describe('PUT speakers/names (4.5)', () => {
  theAudio.given(...two).tests({
    'renames, and records the overwritten name': [
      rename([1, 'Eve'], [2, 'Bob']),
      [
        renamedSpeakers(5, [
          [1, 'Eve', 'Ann'],
          [2, 'Bob', null],
        ]),
      ],
    ],
    'marks a name that the speaker has as given by a person': [
      rename([1, 'Ann']),
      [renamedSpeakers(5, [[1, 'Ann', 'Ann']])],
    ],
    'skips unknown speakers': [rename([9, 'Eve'], [2, 'Bob']), [renamedSpeakers(5, [[2, 'Bob', null]])]],
    'is refused for a speaker named twice': [rename([1, 'Eve'], [1, 'Ann']), twice],
  });
  it('does nothing when all are unknown or already have the name from a person', () =>
    theAudio.given(...two, renamedSpeakers(4, [[1, 'Eve', 'Ann']])).cases([rename([9, 'Eve'], [1, 'Eve']), []]));
  it('needs an audio, but no analysis and no parent', () => {
    theAudio.given(registeredAudio()).cases([rename([1, 'Eve']), []]);
    theAudio.given().cases([rename([1, 'Eve']), { _tag: 'UnknownAudio' }]);
  });
});

describe('the names that a face match gives speakers', () => {
  theAudio.given(...two).tests({
    'are given': [follow([1, 'Eve'], [7, 'Bob']), [renamedSpeakers(9, [[1, 'Eve', 'Ann']], faceMatch)]],
    'are a person’s, also if they are the same': [
      follow([1, 'Ann']),
      [renamedSpeakers(9, [[1, 'Ann', 'Ann']], faceMatch)],
    ],
  });
  it('replace an earlier one, and yield to a later rename', () => {
    const renamed = (seconds: number) => theAudio.given(...two, renamedSpeakers(seconds, [[1, 'Zoe', 'Ann']]));
    renamed(10).cases([follow([1, 'Eve']), []]);
    renamed(8).cases([follow([1, 'Eve']), [renamedSpeakers(9, [[1, 'Eve', 'Zoe', 'person']], faceMatch)]]);
  });
});

describe('PUT speakers/roles (4.5)', () => {
  const set = (...speakers: ReadonlyArray<readonly [number, SpeakerRole | null]>): AudioCommand => ({
    type: 'SetSpeakerRoles',
    speakers: speakers.map(([id, role]) => ({ speaker_id: speakerId(id), role })),
  });
  const speakers = [
    { speaker_id: speakerId(1), role: null, previous_role: 'agent', role_by },
    { speaker_id: speakerId(2), role: 'agent', previous_role: null, role_by },
  ] as const;
  theAudio.given(...completedAudio(speaker(1, 'Ann', { role: 'agent' }), speaker(2, null))).tests({
    'sets and clears roles, and skips unknown speakers': [
      set([1, null], [2, 'agent'], [9, 'customer']),
      [{ type: 'SpeakerRolesSet', data: { speakers } }],
    ],
    'does nothing when nothing changes': [set([1, 'agent'], [2, null]), []],
    'is refused for a speaker named twice': [set([1, 'agent'], [1, null]), twice],
  });
});

describe('speakers merged and deleted', () => {
  const merge = (from: number, into: number): AudioCommand => ({
    type: 'MergeSpeakers',
    from: speakerId(from),
    into: speakerId(into),
    at: at(9),
  });
  /** Speaker 1 goes into 2: `named` is the resulting name, who gave it, and the name that it replaces, if it does. */
  const merged = (
    removed: string | null,
    named: readonly [name: string, by: NamedBy, previous?: string | null] | null,
  ): AudioEvent => {
    const [name, by, previous_name] = named ?? [];
    const called = name === undefined || by === undefined ? null : { name, named_by: by };
    return {
      type: 'SpeakersMerged',
      data: {
        from: speakerId(1),
        into: speakerId(2),
        removed: speaker(1, removed),
        renamed:
          called === null || previous_name === undefined
            ? null
            : {
                speaker_id: speakerId(2),
                name: called.name,
                previous_name,
                named_by: { before: 'analysis', after: called.named_by },
              },
        called,
        at: at(9),
      },
    };
  };
  const remove = (id: number): AudioCommand => ({ type: 'DeleteSpeaker', speaker_id: speakerId(id), at: at(5) });
  const unknown = { _tag: 'InvalidSpeaker', speaker_id: speakerId(9) } as const;

  it('a merge withdraws the removed speaker from turns and transcript', () => {
    const given = theAudio.given(...two);
    given.cases([merge(1, 2), [merged('Ann', ['Ann', 'analysis', null])]]);
    const state = given.after(merge(1, 2));
    const gone = { kind: 'withdrawn', speaker_id: 1, name: 'Ann', merged_into: 2, at: at(9) };
    expect(state).to.deep.include({ changes: { turns: [gone], transcript: [gone] } });
    expect(registeredIn(state).speakers.get(speakerId(2))).to.include({
      name: 'Ann',
      renamed_at: at(9),
    });
  });
  it('a merge gives the real name to a speaker without one; one that a person gave is real, whatever it is', () => {
    const after = (
      from: string | null,
      into: string | null,
      ...given: ReadonlyArray<readonly [id: number, name: string]>
    ) =>
      theAudio.given(
        ...completedAudio(speaker(1, from), speaker(2, into)),
        ...given.map(([id, name]) => renamedSpeakers(5, [[id, name, null]])),
      );
    after('Ann', 'SPEAKER_01').cases([merge(1, 2), [merged('Ann', ['Ann', 'analysis', 'SPEAKER_01'])]]);
    after(null, null, [1, 'Speaker A']).cases([merge(1, 2), [merged('Speaker A', ['Speaker A', 'person', null])]]);
    after('Ann', 'Bob').cases([merge(1, 2), [merged('Ann', ['Bob', 'analysis'])]]);
    after('SPEAKER_00', null).cases([merge(1, 2), [merged('SPEAKER_00', null)]]);
    after('Ann', null, [2, 'Unknown']).cases([merge(1, 2), [merged('Ann', ['Unknown', 'person'])]]);
  });
  theAudio.given(...two).tests({
    'a merge needs the one speaker': [merge(9, 1), unknown],
    'a merge needs the other speaker': [merge(1, 9), unknown],
    'a merge needs two different speakers': [merge(1, 1), { _tag: 'MergeIntoItself', speaker_id: speakerId(1) }],
    'a deletion records the removed speaker': [
      remove(1),
      [{ type: 'SpeakerDeleted', data: { removed: speaker(1, 'Ann'), at: at(5) } }],
    ],
    'a deletion needs a speaker': [remove(9), unknown],
  });
});

const row = (id: number, parts: Partial<ResultRow>): ResultRow => ({
  speaker_id: speakerId(id),
  video_id: null,
  ...parts,
});
const apply = (...results: ReadonlyArray<ResultRow>): ApplyInference => ({
  type: 'ApplyInference',
  run_id: runId('r'),
  by: 'key',
  renumbered_at: -1,
  target_speaker_ids: [speakerId(1), speakerId(2)],
  results,
  at: at(5),
});
const inferred = (
  { type: _type, renumbered_at: _at, ...run }: ApplyInference,
  parts: Partial<AudioData<'NamesInferred'>>,
): AudioEvent => ({
  type: 'NamesInferred',
  data: { ...run, renamed: [], roles: [], ...parts },
});
const renamedTo = (name: string, parts: object = {}) => ({
  speaker_id: speakerId(1),
  name,
  previous_name: null,
  deal_person_id: null,
  previous_deal_person_id: null,
  named_by: { before: 'analysis' as const, after: 'person' as const },
  ...parts,
});

const speakers = [speaker(1, null), speaker(2, null)];
const unnamed = completedAudio(...speakers);
const fresh = theAudio.given(...unnamed);
const named = apply(row(1, { name: 'Ada' }), row(2, { reason: 'no_proposal' }));

describe('results written by a name inference in commit mode', () => {
  it('include names, with the overwritten ones', () =>
    theAudio
      .given(...completedAudio(speaker(1, 'Ann', { deal_person_id: 'p1' }), speaker(2, null)))
      .cases([
        named,
        [inferred(named, { renamed: [renamedTo('Ada', { previous_name: 'Ann', previous_deal_person_id: 'p1' })] })],
      ]));

  it('include no name if a newer one was given since the request, and are dated after earlier names', () => {
    const after = (seconds: number) => theAudio.given(...unnamed, renamedSpeakers(seconds, [[1, 'Eve', null]]));
    const renamed = [renamedTo('Ada', { previous_name: 'Eve', named_by: { before: 'person', after: 'person' } })];
    after(6).cases([named, [inferred(named, {})]]);
    after(4).cases([named, [inferred(named, { renamed })]]);
    after(5).cases([named, [inferred(named, { renamed, at: at(5.001) })]]);
  });

  it('include roles for speakers without one', () => {
    const command = apply(row(1, { role: 'agent' }), row(2, { role: 'customer' }));
    theAudio
      .given(...completedAudio(speaker(1, null, { role: 'customer' }), speaker(2, null)))
      .cases([command, [inferred(command, { roles: [{ speaker_id: speakerId(2), role: 'customer', role_by }] })]]);
  });

  it('include the run itself, even if nothing was accepted or the speaker was removed', () => {
    for (const command of [apply(row(1, { reason: 'quote_not_found' })), apply(row(7, { name: 'Ada', role: 'agent' }))])
      fresh.cases([command, [inferred(command, {})]]);
  });

  it('are written once: the same run again changes nothing', () =>
    theAudio.given(...unnamed, inferred(named, { renamed: [renamedTo('Ada')] })).cases([named, []]));

  it('use the first accepted row of a speaker, separately for names and roles, and are from a person', () => {
    const command = apply(
      row(1, { reason: 'no_proposal', role: 'agent' }),
      row(1, { name: 'Ada', role: 'customer' }),
      row(1, { name: 'Bea' }),
    );
    const roles = [{ speaker_id: speakerId(1), role: 'agent' as const, role_by }];
    fresh.cases([command, [inferred(command, { renamed: [renamedTo('Ada')], roles })]]);
    const kept = { name: 'Ada', role: 'agent', named_by: 'person', role_by: 'person' };
    expect(registeredIn(fresh.after(command)).speakers.get(speakerId(1))).to.include(kept);
  });

  it('link the deal person with exactly that name, if there is only one', () => {
    const linked = (...names: ReadonlyArray<string>) => {
      const deal_persons = names.map((name, n) => ({ person_id: `p${n + 1}`, name }));
      const [event] = theAudio.given(registeredAudio({ deal_persons }), analysedAudio(speakers)).events(named);
      return event?.type === 'NamesInferred' ? event.data.renamed.map(({ deal_person_id }) => deal_person_id) : [];
    };
    expect(linked('Ada', 'Bea')).to.deep.equal(['p1']);
    for (const none of [linked('Ada', 'Ada'), linked('ada'), linked()]) expect(none).to.deep.equal([null]);
  });
});
