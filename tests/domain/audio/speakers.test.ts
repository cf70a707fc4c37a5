import { expect } from 'chai';
import type { AudioCommand } from '../../../domain/audio/contract.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import { completedAudio, registeredAudio, speaker, theAudio } from '../../support/audio-events.js';
import { at, personName, speakerId, videoId } from '../../support/values.js';

type Renames = ReadonlyArray<readonly [id: number, name: string]>;

const rename = (...speakers: Renames): AudioCommand => ({
  type: 'RenameSpeakers',
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name: personName(name) })),
  at: at(5),
});
const follow = (seconds: number, ...speakers: Renames): AudioCommand => ({
  type: 'FollowFaceMatch',
  video_id: videoId('v'),
  video_revision: 4,
  renumbered_at: -1,
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name })),
  at: at(seconds),
});
const renamed = (
  seconds: number,
  cause: Extract<AudioEvent, { type: 'SpeakersRenamed' }>['data']['cause'],
  ...speakers: ReadonlyArray<readonly [id: number, name: string, previous: string | null, named_by?: NamedBy]>
): AudioEvent => ({
  type: 'SpeakersRenamed',
  data: {
    speakers: speakers.map(([id, name, previous_name, before = 'analysis']) => ({
      speaker_id: speakerId(id),
      name,
      previous_name,
      named_by: { before, after: 'person' as const },
    })),
    cause,
    at: at(seconds),
  },
});
const request = { kind: 'request' } as const;
const faceMatch = { kind: 'face_match', video_id: videoId('v'), video_revision: 4 } as const;

const two = completedAudio(speaker(1, 'Ann'), speaker(2, null));

describe('PUT speakers/names (4.5)', () => {
  theAudio
    .given(...two)
    .tests({
      'renames, and records the overwritten name': [
        rename([1, 'Eve'], [2, 'Bob']),
        [renamed(5, request, [1, 'Eve', 'Ann'], [2, 'Bob', null])],
      ],
      'skips unknown speakers': [rename([9, 'Eve'], [2, 'Bob']), [renamed(5, request, [2, 'Bob', null])]],
    });
  it('does nothing when all are unknown or already have the name from a person', () =>
    theAudio
      .given(...two, renamed(4, request, [1, 'Eve', 'Ann']))
      .when(rename([9, 'Eve'], [1, 'Eve']))
      .thenNothing());
  it('needs no analysis and no parent', () =>
    theAudio
      .given(registeredAudio())
      .when(rename([1, 'Eve']))
      .thenNothing());
  it('is refused for a speaker named twice', () =>
    theAudio
      .given(...two)
      .when(rename([1, 'Eve'], [1, 'Ann']))
      .thenRefused({ _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) }));
  it('is refused for an audio that does not exist', () =>
    theAudio
      .given()
      .when(rename([1, 'Eve']))
      .thenRefused({ _tag: 'UnknownAudio' }));
});

describe('the names that a face match gives speakers', () => {
  it('are given', () =>
    theAudio
      .given(...two)
      .when(follow(9, [1, 'Eve'], [7, 'Bob']))
      .then(renamed(9, faceMatch, [1, 'Eve', 'Ann'])));
  it('yield to a later rename', () =>
    theAudio
      .given(...two, renamed(10, request, [1, 'Zoe', 'Ann']))
      .when(follow(9, [1, 'Eve']))
      .thenNothing());
  it('replace an earlier one', () =>
    theAudio
      .given(...two, renamed(8, request, [1, 'Zoe', 'Ann']))
      .when(follow(9, [1, 'Eve']))
      .then(renamed(9, faceMatch, [1, 'Eve', 'Zoe', 'person'])));
});

describe('PUT speakers/roles (4.5)', () => {
  const set = (...speakers: ReadonlyArray<readonly [number, SpeakerRole | null]>): AudioCommand => ({
    type: 'SetSpeakerRoles',
    speakers: speakers.map(([id, role]) => ({ speaker_id: speakerId(id), role })),
  });
  const given = completedAudio(speaker(1, 'Ann', { role: 'agent' }), speaker(2, null));
  const role_by = { before: 'analysis', after: 'person' } as const;
  theAudio.given(...given).tests({
    'sets and clears roles, skips unknown speakers, and leaves unchanged roles': [
      set([1, null], [2, 'agent'], [9, 'customer']),
      [
        {
          type: 'SpeakerRolesSet',
          data: {
            speakers: [
              { speaker_id: speakerId(1), role: null, previous_role: 'agent', role_by },
              { speaker_id: speakerId(2), role: 'agent', previous_role: null, role_by },
            ],
          },
        },
      ],
    ],
    'does nothing when nothing changes': [set([1, 'agent'], [2, null]), []],
    'is refused for a speaker named twice': [
      set([1, 'agent'], [1, null]),
      { _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) },
    ],
  });
});

describe('speakers merged and deleted', () => {
  const merge = (from: number, into: number): AudioCommand => ({
    type: 'MergeSpeakers',
    from: speakerId(from),
    into: speakerId(into),
    at: at(5),
  });
  const remove = (id: number): AudioCommand => ({ type: 'DeleteSpeaker', speaker_id: speakerId(id), at: at(5) });

  it('a merge records the removed speaker and the kept name', () => {
    const renamed = {
      speaker_id: speakerId(2),
      name: 'Ann',
      previous_name: null,
      named_by: { before: 'analysis', after: 'analysis' },
    } as const;
    const called = { name: 'Ann', named_by: 'analysis' } as const;
    const state = theAudio
      .given(...two)
      .when(merge(1, 2))
      .then({
        type: 'SpeakersMerged',
        data: { from: speakerId(1), into: speakerId(2), removed: speaker(1, 'Ann'), renamed, called, at: at(5) },
      });
    expect(state).to.deep.include({
      changes: {
        turns: [{ kind: 'withdrawn', speaker_id: 1, name: 'Ann', merged_into: 2, at: at(5) }],
        transcript: [{ kind: 'withdrawn', speaker_id: 1, name: 'Ann', merged_into: 2, at: at(5) }],
      },
    });
  });
  it('a merge needs both speakers', () => {
    theAudio
      .given(...two)
      .cases(
        [merge(9, 1), { _tag: 'InvalidSpeaker', speaker_id: speakerId(9) }],
        [merge(1, 9), { _tag: 'InvalidSpeaker', speaker_id: speakerId(9) }],
      );
  });
  theAudio
    .given(...two)
    .tests({
      'a merge needs two different speakers': [merge(1, 1), { _tag: 'MergeIntoItself', speaker_id: speakerId(1) }],
      'a deletion records the removed speaker': [
        remove(1),
        [{ type: 'SpeakerDeleted', data: { removed: speaker(1, 'Ann'), at: at(5) } }],
      ],
      'a deletion needs a speaker': [remove(9), { _tag: 'InvalidSpeaker', speaker_id: speakerId(9) }],
    });
});
