import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { audio } from '../../../domain/audio/decider.js';
import { audioChangesOf, irreversibleAudioChange } from '../../../domain/audio/reversible-changes.js';
import { partOfAudio } from '../../../domain/audio/revert-change.js';
import type { RevertAudioChange } from '../../../domain/audio/contract.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import type { NamedBy } from '../../../domain/kernel/names.js';
import { registeredIn } from '../../support/specification.js';
import {
  analysedAudio,
  completedAudio,
  registeredAudio,
  renamedSpeakers,
  speaker,
  theAudio,
} from '../../support/audio-events.js';
import { accountId, at, audioId, runId, speakerId, videoId } from '../../support/values.js';
import { change } from '../../support/video-events.js';

const speaker_id = speakerId(1);
const byPerson = <By>(before: By) => ({ before, after: 'person' as const });

const renamed = (name: string, previous_name: string | null, before: NamedBy = 'analysis') =>
  renamedSpeakers(5, [[1, name, previous_name, before]]);
const roleSet = (role: SpeakerRole, previous_role: SpeakerRole | null, by: 'analysis' | 'person'): AudioEvent => ({
  type: 'SpeakerRolesSet',
  data: { speakers: [{ speaker_id, role, previous_role, role_by: byPerson(by) }] },
});
const titled = (before: string | null, after: string): AudioEvent => ({
  type: 'AudioDetailsChanged',
  data: { title: { before, after }, at: at(5) },
});
const deleted: AudioEvent = { type: 'SpeakerDeleted', data: { removed: speaker(1, 'Eve'), at: at(6) } };
const inferred = (deal_person_id: string | null): AudioEvent => ({
  type: 'NamesInferred',
  data: {
    run_id: runId('r'),
    by: 'key',
    at: at(10),
    target_speaker_ids: [speaker_id],
    results: [],
    renamed: [
      {
        speaker_id,
        name: 'Ada',
        previous_name: 'Ann',
        named_by: byPerson('analysis'),
        deal_person_id,
        previous_deal_person_id: null,
      },
    ],
    roles: [{ speaker_id, role: 'agent', role_by: byPerson('analysis') }],
  },
});

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
const audioAfter = (given: ReadonlyArray<AudioEvent>) => registeredIn(theAudio.given(...given).state());
const two = completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob'));

/** `since`: what happened after the change. `is`: the speaker, or the title, after the revert; null: it is refused. */
const rule = (
  text: string,
  made: AudioEvent,
  since: AudioEvent | null,
  is: string | null,
  ...left: ReadonlyArray<string>
) =>
  it(text, () => {
    const given = [...two, made, ...(since === null ? [] : [since])];
    const then = theAudio.given(...given);
    const on =
      made.type === 'AudioDetailsChanged'
        ? { record: 'audio' as const, id: 'a' }
        : { record: 'speaker' as const, id: 1 };
    const changed_since = left.length === 0 ? [] : [{ ...on, fields: left }];
    if (is === null) then.cases([undo(made), { _tag: 'NothingToRevert', changed_since }]);
    else {
      const [event] = then.events(undo(made));
      if (event?.type !== 'AudioChangeReverted') throw new Error('no revert');
      expect(event.data.changed_since).to.deep.equal(changed_since);
      const { title, speakers } = audioAfter([...given, event]);
      const { name, named_by, role, role_by, deal_person_id } = speakers.get(speaker_id) ?? {};
      const parts = on.record === 'audio' ? [title] : [name, named_by, role, role_by, deal_person_id];
      expect(parts.map((part) => part ?? '-').join(' ')).to.equal(is);
    }
  });

describe('a change of an audio that is undone', () => {
  rule('restores a name and who gave it', renamed('Eve', 'Ann'), null, 'Ann analysis - analysis -');
  rule('restores who gave a name if only that changed', renamed('Ann', 'Ann'), null, 'Ann analysis - analysis -');
  rule('restores a role and who set it', roleSet('agent', null, 'analysis'), null, 'Ann analysis - analysis -');
  rule('restores what an inference wrote', inferred('p1'), null, 'Ann analysis - analysis -');
  rule('restores a title', titled(null, 'A call'), null, '-');
  const again = roleSet('customer', 'agent', 'person');
  rule('leaves a role that was set since', inferred('p1'), again, 'Ann analysis customer person -', 'role');
  rule('leaves a name that was given since', renamed('Eve', 'Ann'), renamed('Zoe', 'Eve', 'person'), null, 'name');
  rule('does not report a name that is back', renamed('Eve', 'Ann'), renamed('Ann', 'Eve', 'person'), null);
  rule('leaves a title that was changed since', titled(null, 'A call'), titled('A call', 'Another'), null, 'title');
  rule('reports what it changed of a speaker that is gone', inferred(null), deleted, null, 'name', 'role');

  it('leaves a name that a person has claimed since', () => {
    const name = {
      before: { name: null, named_by: 'analysis' },
      after: { name: 'Ann', named_by: 'analysis' },
    } as const;
    const changes = { speakers: [{ speaker_id, name, role: null, deal_person_id: null }], title: null };
    theAudio.given(...two, renamed('Ann', 'Ann')).cases([
      { ...undo(), changes },
      { _tag: 'NothingToRevert', changed_since: [{ record: 'speaker', id: 1, fields: ['name'] }] },
    ]);
  });

  it('does not take back that an inference was written', () => {
    const events = theAudio.given(...two, inferred('p1')).events(undo(inferred('p1')));
    expect([...audioAfter([...two, inferred('p1'), ...events]).inferences]).to.deep.equal(['r']);
  });

  it('can itself be undone, once', () => {
    const given = [...two, renamed('Eve', 'Ann')];
    given.push(...theAudio.given(...given).events(undo(renamed('Eve', 'Ann'))));
    theAudio.given(...given).cases([undo(renamed('Eve', 'Ann')), { _tag: 'NothingToRevert', changed_since: [] }]);
    given.push(...theAudio.given(...given).events(undo(...given.slice(-1))));
    expect(audioAfter(given).speakers.get(speaker_id)).to.include({ name: 'Eve', named_by: 'person' });
  });

  it('combines several events of one change', () =>
    expect(
      audioChangesOf([renamed('Eve', 'Ann'), renamed('Zoe', 'Eve', 'person'), roleSet('agent', null, 'analysis')]),
    ).to.deep.equal({
      speakers: [
        {
          speaker_id: 1,
          name: { before: { name: 'Ann', named_by: 'analysis' }, after: { name: 'Zoe', named_by: 'person' } },
          role: { before: { role: null, role_by: 'analysis' }, after: { role: 'agent', role_by: 'person' } },
          deal_person_id: null,
        },
      ],
      title: null,
    }));
});

describe('a change of an audio and its video that is undone', () => {
  it('passes the video’s part on, also if nothing else is left', () => {
    const changes = { faces: [change(1, {}, { name: 'Ann' })], ruled_out: [], tags: [], title: null, media_url: null };
    const other = { video_id: videoId('v'), video_revision: 3, changes, run_id: null };
    const changed_since = [{ record: 'face' as const, id: 2, fields: ['name'] }];
    const [event] = theAudio.given(...two).events({ ...undo(), other, changed_since });
    if (event?.type !== 'AudioChangeReverted') throw new Error('no revert');
    expect(event.data).to.deep.include({ speakers: [], title: null, video: other, changed_since });
    expect(audio.about?.(audio.initial, event, undo())).to.deep.equal(['video-v']);
  });

  const cause = { kind: 'video', video_id: videoId('v'), video_revision: 3 } as const;
  it('by an undo of its video does nothing if nothing is left to restore', () =>
    theAudio.given(...two).cases([{ ...undo(renamed('Eve', 'Ann')), cause }, []]));

  it('is refused after a renumbering; as a part of an undo of its video it is left out', () => {
    const made = [renamed('Eve', 'Ann'), titled(null, 'A call')];
    const analysis = analysedAudio([speaker(2, 'Bob')], 'completed', { discontinued: [speaker_id] });
    const command = { ...undo(...made), revision: -1 };
    const now = theAudio.given(...two, ...made, analysis);
    now.cases([command, { _tag: 'NotRevertible', reason: 'renumbered' }]);
    const [event] = now.events({ ...command, cause });
    const title = { before: 'A call', after: null };
    expect(event?.data).to.deep.include({ speakers: [], title, changed_since: [] });
    expect(partOfAudio(audioAfter([...two, ...made, analysis]), 5, command)).to.deep.equal(
      E.left({ _tag: 'NotRevertible', reason: 'renumbered' }),
    );
  });

  it('is passed on by an undo of its video as far as it can be undone', () => {
    const events = [renamed('Eve', 'Ann'), titled(null, 'A call')];
    const state = audioAfter([...two, ...events, titled('A call', 'Another')]);
    const passedOn = (...made: ReadonlyArray<AudioEvent>) => partOfAudio(state, 5, undo(...made));
    const changed_since = [{ record: 'audio', id: 'a', fields: ['title'] }];
    const other = { audio_id: audioId('a'), audio_revision: 5, changes: audioChangesOf(events.slice(0, 1)) };
    expect(passedOn(...events)).to.deep.equal(E.right({ other, changed_since }));
    expect(passedOn(...events.slice(1))).to.deep.equal(E.right({ other: null, changed_since }));
  });
});

describe('changes of an audio that cannot be undone', () => {
  it('are all irreversible events', () => {
    const removed = speaker(2, 'Bob');
    const merge = { from: speakerId(2), into: speakerId(1), removed: removed, renamed: null, called: null, at: at(5) };
    const attached = { video_id: videoId('v'), owner_id: accountId('o'), title: null, media_url: null };
    const transcript = { first_revision: 0, parts: 1 };
    const kinds: ReadonlyArray<readonly [AudioEvent, string | null]> = [
      [registeredAudio(), 'registration'],
      [{ type: 'AudioAttached', data: { ...attached, kind: 'upload' } }, 'link'],
      [{ type: 'AudioDetached', data: { video_id: videoId('v') } }, 'link'],
      [analysedAudio([]), 'analysis'],
      [{ type: 'TranscriptReplaced', data: { transcript_id: 't', transcript } }, 'transcript'],
      [{ type: 'SpeakersMerged', data: merge }, 'merge'],
      [{ type: 'SpeakerDeleted', data: { removed: removed, at: at(5) } }, 'deletion'],
      [renamed('Eve', 'Ann'), null],
    ];
    for (const [event, kind] of kinds) {
      expect(irreversibleAudioChange(event), event.type).to.equal(kind);
      if (kind !== null) expect(audioChangesOf([event]), event.type).to.deep.equal({ speakers: [], title: null });
    }
  });
});
