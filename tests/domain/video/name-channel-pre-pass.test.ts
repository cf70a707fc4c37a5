import { expect } from 'chai';
import { nameMatchAccuracy } from '../../../domain/matching/name-channel.js';
import type { AudioFacts } from '../../../domain/video/contract.js';
import type { SuggestedMapping } from '../../../domain/video/write-back.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import {
  trigger,
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  queued,
  recordedMatch,
  stored,
  theVideo,
} from '../../support/video-events.js';

const video = theVideo.given(...completed(face(1, 'Ann'), face(2, 'Bob'), face(3, 'Face 3')));
const named = audioWith([1, 'Ann'], [2, 'Bob']);
const byNames = { attribution: 'name_channel' as const };

const byName = (id: number, speaker: number, name: string): SuggestedMapping => ({
  face_id: faceId(id),
  speaker_id: speakerId(speaker),
  name,
  accuracy: nameMatchAccuracy,
  channel: 'name',
  evidence: { equal_name: name },
});
/** The stored block: these mappings, and faces of nobody. */
const suggested = (mappings: ReadonlyArray<SuggestedMapping>, ...unmatched: ReadonlyArray<number>) =>
  stored(block('new', 5, { mappings, unmatched_faces: unmatched.map(faceId) }), byNames);

describe('a run that names alone resolve (4.3)', () => {
  it('in suggest mode stores its block at once', () => {
    const command = trigger('suggest', 5, { audio: named });
    const answer = suggested([byName(1, 1, 'Ann'), byName(2, 2, 'Bob')], 3);
    video.cases([command, [queued('new', 'suggest', 5), answer]]);
    expect(video.after(command)).to.deep.include({
      match: { status: 'completed', queued_at: at(5), mode: 'suggest', run_id: runId('new') },
      open_runs: [],
    });
  });

  it('in commit mode changes the faces at once, and leaves the stored status at queue', () => {
    const linked = (id: number, name: string) =>
      change(id, { name }, { name, speaker_id: speakerId(id), accuracy: nameMatchAccuracy });
    const command = trigger('commit', 5, { audio: named });
    const matches = [recordedMatch(1, 1, nameMatchAccuracy), recordedMatch(2, 2, nameMatchAccuracy)];
    const changes = [linked(1, 'Ann'), linked(2, 'Bob')];
    video.cases([command, [queued('new', 'commit', 5), committed('new', 5, { ...byNames, matches, changes })]]);
    expect(video.after(command)).to.deep.include({
      match: { status: 'queue', queued_at: null, mode: null, run_id: runId('new') },
      open_runs: [],
    });
  });

  const ann = [byName(1, 1, 'Ann')];
  const synthetic: AudioFacts = {
    ...named,
    speakers: audioWith([1, 'Ann'], [2, 'Music']).speakers.map((speaker, n) => ({ ...speaker, synthetic: n === 1 })),
  };
  video.tests({
    'is limited to its targets': [
      trigger('suggest', 5, { audio: audioWith([1, 'Ann'], [2, null]), targets: [1] }),
      [queued('new', 'suggest', 5, { targets: [1] }), suggested(ann, 2, 3)],
    ],
    'excludes synthetic tracks': [
      trigger('suggest', 5, { audio: synthetic }),
      [queued('new', 'suggest', 5), suggested(ann, 2, 3)],
    ],
    'waits for a worker when a synthetic track is a target': [
      trigger('suggest', 5, { audio: synthetic, targets: [1, 2] }),
      [queued('new', 'suggest', 5, { targets: [1, 2] })],
    ],
  });

  for (const [when, audio] of Object.entries({
    'one speaker has no name': audioWith([1, 'Ann'], [2, null]),
    'one name is a label': audioWith([1, 'Ann'], [2, 'Face 3']),
    "one name is nobody's on the screen": audioWith([1, 'Ann'], [2, 'Zoe']),
    'two speakers have one name': audioWith([1, 'Ann'], [2, 'Ann']),
    'there are no speakers': audioWith(),
  }))
    video.tests({
      [`waits for a worker when ${when}`]: [trigger('commit', 5, { audio }), [queued('new', 'commit', 5)]],
    });
});
