import type { AudioCommand } from '../../../domain/audio/contract.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import type { NamedBy } from '../../../domain/kernel/names.js';
import { completedAudio, speaker, theAudio } from '../../support/audio-events.js';
import { at, personName, speakerId, videoId } from '../../support/values.js';

const named = (id: number, name: string, previous_name: string | null, before: NamedBy = 'analysis') => ({
  speaker_id: speakerId(id),
  name,
  previous_name,
  named_by: { before, after: 'person' as const },
});
const byPerson = (id: number, name: string, previous_name: string | null): AudioEvent => ({
  type: 'SpeakersRenamed',
  data: { speakers: [named(id, name, previous_name)], cause: { kind: 'request' }, at: at(5) },
});
const rename = (id: number, name: string): AudioCommand => ({
  type: 'RenameSpeakers',
  speakers: [{ speaker_id: speakerId(id), name: personName(name) }],
  at: at(5),
});
const merge: AudioCommand = { type: 'MergeSpeakers', from: speakerId(1), into: speakerId(2), at: at(9) };

type Merged = Extract<AudioEvent, { type: 'SpeakersMerged' }>['data'];
const merged = (parts: Pick<Merged, 'removed' | 'renamed' | 'called'>): AudioEvent => ({
  type: 'SpeakersMerged',
  data: { from: speakerId(1), into: speakerId(2), ...parts, at: at(9) },
});

describe('who gave a speaker’s name', () => {
  it("is a person's once a person gives it the name that it has", () =>
    theAudio
      .given(...completedAudio(speaker(1, 'SPEAKER_00')))
      .when(rename(1, 'SPEAKER_00'))
      .then(byPerson(1, 'SPEAKER_00', 'SPEAKER_00')));
  it("is a person's once a person gives it by matching a face", () =>
    theAudio
      .given(...completedAudio(speaker(1, 'Ann')))
      .when({
        type: 'FollowFaceMatch',
        video_id: videoId('v'),
        video_revision: 4,
        renumbered_at: -1,
        speakers: [{ speaker_id: speakerId(1), name: 'Ann' }],
        at: at(5),
      })
      .then({
        type: 'SpeakersRenamed',
        data: {
          speakers: [named(1, 'Ann', 'Ann')],
          cause: { kind: 'face_match', video_id: videoId('v'), video_revision: 4 },
          at: at(5),
        },
      }));
});

describe('the name after a merge', () => {
  it('is the real one if only the merged speaker has one', () =>
    theAudio
      .given(...completedAudio(speaker(1, 'Ann'), speaker(2, 'SPEAKER_01')))
      .when(merge)
      .then(
        merged({
          removed: speaker(1, 'Ann'),
          renamed: {
            speaker_id: speakerId(2),
            name: 'Ann',
            previous_name: 'SPEAKER_01',
            named_by: { before: 'analysis', after: 'analysis' },
          },
          called: { name: 'Ann', named_by: 'analysis' },
        }),
      ));
  it('is one that a person gave, whatever it is', () =>
    theAudio
      .given(...completedAudio(speaker(1, null), speaker(2, null)), byPerson(1, 'Speaker A', null))
      .when(merge)
      .then(
        merged({
          removed: speaker(1, 'Speaker A'),
          renamed: { ...named(2, 'Speaker A', null) },
          called: { name: 'Speaker A', named_by: 'person' },
        }),
      ));
  it('stays if both have a real one, or neither', () => {
    theAudio
      .given(...completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob')))
      .when(merge)
      .then(merged({ removed: speaker(1, 'Ann'), renamed: null, called: { name: 'Bob', named_by: 'analysis' } }));
    theAudio
      .given(...completedAudio(speaker(1, 'SPEAKER_00'), speaker(2, null)))
      .when(merge)
      .then(merged({ removed: speaker(1, 'SPEAKER_00'), renamed: null, called: null }));
  });
  it('stays if a person gave it, whatever it is', () =>
    theAudio
      .given(...completedAudio(speaker(1, 'Ann'), speaker(2, null)), byPerson(2, 'Unknown', null))
      .when(merge)
      .then(merged({ removed: speaker(1, 'Ann'), renamed: null, called: { name: 'Unknown', named_by: 'person' } })));
});
