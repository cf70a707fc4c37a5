import { expect } from 'chai';
import { audioChangesOf } from '../../../domain/audio/revert-change.js';
import type { RevertAudioChange } from '../../../domain/audio/contract.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { completedAudio, speaker, theAudio } from '../../support/audio-events.js';
import { at, runId, speakerId } from '../../support/values.js';

const renamed = (
  seconds: number,
  name: string,
  previous_name: string | null,
  before: 'analysis' | 'person' = 'analysis',
): AudioEvent => ({
  type: 'SpeakersRenamed',
  data: {
    speakers: [{ speaker_id: speakerId(1), name, previous_name, named_by: { before, after: 'person' } }],
    cause: { kind: 'request' },
    at: at(seconds),
  },
});
const inferred: AudioEvent = {
  type: 'NamesInferred',
  data: {
    run_id: runId('r'),
    by: 'key',
    at: at(10),
    target_speaker_ids: [speakerId(1)],
    results: [],
    renamed: [
      {
        speaker_id: speakerId(1),
        name: 'Ada',
        previous_name: 'Ann',
        named_by: { before: 'analysis', after: 'person' },
        deal_person_id: 'p1',
        previous_deal_person_id: null,
      },
    ],
    roles: [{ speaker_id: speakerId(1), role: 'agent', role_by: { before: 'analysis', after: 'person' } }],
  },
};
const undo = (...events: ReadonlyArray<AudioEvent>): RevertAudioChange => ({
  type: 'RevertAudioChange',
  position: '7',
  change_id: 'first',
  changes: audioChangesOf(events),
  revision: 1,
  cause: { kind: 'request' },
  other: null,
  changed_since: [],
  at: at(90),
});
const speakerAfter = (given: ReadonlyArray<AudioEvent>, command: RevertAudioChange) => {
  const state = theAudio
    .given(...given)
    .when(command)
    .thenState();
  return state._tag === 'Registered' ? state.speakers.get(speakerId(1)) : undefined;
};
const outcome = (given: ReadonlyArray<AudioEvent>, command: RevertAudioChange) => {
  const [event] = theAudio
    .given(...given)
    .when(command)
    .thenEvents();
  if (event?.type !== 'AudioChangeReverted') throw new Error('no revert');
  return event.data;
};

const two = completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob'));

/** A person changed the role from agent to customer; `role_by` says who had set the role before. */
const roleSet = (before: 'analysis' | 'person'): AudioEvent => ({
  type: 'SpeakerRolesSet',
  data: {
    speakers: [
      { speaker_id: speakerId(1), role: 'customer', previous_role: 'agent', role_by: { before, after: 'person' } },
    ],
  },
});

describe('a change of speakers that is undone', () => {
  it('restores the name and who gave it', () =>
    expect(speakerAfter([...two, renamed(5, 'Eve', 'Ann')], undo(renamed(5, 'Eve', 'Ann')))).to.include({
      name: 'Ann',
      named_by: 'analysis',
    }));

  it('undoes names, roles and persons of a committed inference', () => {
    const state = theAudio
      .given(...two, inferred)
      .when(undo(inferred))
      .thenState();
    if (state._tag !== 'Registered') throw new Error('no audio');
    expect(state.speakers.get(speakerId(1))).to.include({
      name: 'Ann',
      named_by: 'analysis',
      role: null,
      role_by: 'analysis',
      deal_person_id: null,
    });
    expect([...state.inferences]).to.deep.equal(['r']);
  });

  it('leaves and reports a field that was changed since, and restores the others', () => {
    const roles = roleSet('person');
    const { changed_since, speakers } = outcome([...two, inferred, roles], undo(inferred));
    expect(changed_since).to.deep.equal([{ record: 'speaker', id: 1, fields: ['role'] }]);
    expect(speakers[0]).to.deep.include({ role: null, deal_person_id: { before: 'p1', after: null } });
  });

  it('leaves a name that a person has claimed since', () => {
    const adopted: AudioEvent = {
      type: 'SpeakersMerged',
      data: {
        from: speakerId(2),
        into: speakerId(1),
        removed: speaker(2, 'Bob'),
        renamed: null,
        called: { name: 'Ann', named_by: 'analysis' },
        at: at(6),
      },
    };
    theAudio
      .given(...two, adopted, renamed(7, 'Ann', 'Ann'))
      .when({
        ...undo(),
        changes: {
          speakers: [
            {
              speaker_id: speakerId(1),
              name: { before: { name: null, named_by: 'analysis' }, after: { name: 'Ann', named_by: 'analysis' } },
              role: null,
              deal_person_id: null,
            },
          ],
          title: null,
        },
      })
      .thenRefused({ _tag: 'NothingToRevert', changed_since: [{ record: 'speaker', id: 1, fields: ['name'] }] });
  });

  it('undoes a claim, and reports it as a change of the name', () =>
    expect(outcome([...two, renamed(5, 'Ann', 'Ann')], undo(renamed(5, 'Ann', 'Ann'))).speakers).to.deep.equal([
      {
        speaker_id: 1,
        name: { before: { name: 'Ann', named_by: 'person' }, after: { name: 'Ann', named_by: 'analysis' } },
        role: null,
        deal_person_id: null,
      },
    ]));

  it('reports a speaker that no longer exists', () => {
    const deleted: AudioEvent = { type: 'SpeakerDeleted', data: { removed: speaker(1, 'Eve'), at: at(6) } };
    theAudio
      .given(...two, renamed(5, 'Eve', 'Ann'), deleted)
      .when(undo(renamed(5, 'Eve', 'Ann')))
      .thenRefused({ _tag: 'NothingToRevert', changed_since: [{ record: 'speaker', id: 1, fields: ['name'] }] });
  });

  it('is refused the second time', () => {
    const given = [...two, renamed(5, 'Eve', 'Ann')];
    const events = theAudio
      .given(...given)
      .when(undo(renamed(5, 'Eve', 'Ann')))
      .thenEvents();
    theAudio
      .given(...given, ...events)
      .when(undo(renamed(5, 'Eve', 'Ann')))
      .thenRefused({ _tag: 'NothingToRevert', changed_since: [] });
  });

  it('restores a title', () => {
    const titled: AudioEvent = {
      type: 'AudioDetailsChanged',
      data: { title: { before: null, after: 'A call' }, at: at(5) },
    };
    expect(outcome([...two, titled], undo(titled)).title).to.deep.equal({ before: 'A call', after: null });
  });

  it('reports a title that was changed since', () => {
    const titled = (before: string | null, after: string): AudioEvent => ({
      type: 'AudioDetailsChanged',
      data: { title: { before, after }, at: at(5) },
    });
    theAudio
      .given(...two, titled(null, 'A call'), titled('A call', 'Another call'))
      .when(undo(titled(null, 'A call')))
      .thenRefused({ _tag: 'NothingToRevert', changed_since: [{ record: 'audio', id: 'a', fields: ['title'] }] });
  });

  it('restores a role and who gave it', () => {
    const roles = roleSet('analysis');
    const given = completedAudio(speaker(1, 'Ann', { role: 'agent' }), speaker(2, 'Bob'));
    expect(speakerAfter([...given, roles], undo(roles))).to.include({ role: 'agent', role_by: 'analysis' });
  });

  it('can itself be undone', () => {
    const given = [...two, renamed(5, 'Eve', 'Ann')];
    const events = theAudio
      .given(...given)
      .when(undo(renamed(5, 'Eve', 'Ann')))
      .thenEvents();
    expect(speakerAfter([...given, ...events], { ...undo(...events), change_id: 'second' })).to.include({
      name: 'Eve',
      named_by: 'person',
    });
  });
});
