import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import { video } from '../../../domain/video/decider.js';
import { at, faceId, speakerId } from '../../support/values.js';
import { found, trigger, writeBack } from '../../support/run-commands.js';
import { audioWith, completed, face, proposed } from '../../support/video-events.js';

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];
const nameOf = (id: number): string => `Ünal Çelik ${id}x`;

const stateOf = (count: number) =>
  completed(...numbers(count).map((id) => face(id, nameOf(id)))).reduce(video.evolve, video.initial);
const audioOf = (count: number) =>
  audioWith(...numbers(count).map((id): readonly [number, string] => [id, nameOf(id)]));

const deciding = (count: number): VideoCommand => ({
  type: 'DecideLinks',
  decisions: numbers(count).map((id) => ({ speaker_id: speakerId(id), face_id: faceId(id), verdict: 'confirmed' })),
  audio: audioOf(count),
  at: at(9),
});
const queueing =
  (mode: 'suggest' | 'commit') =>
  (count: number): VideoCommand =>
    trigger(mode, 9, { audio: audioOf(count) });

/** A worker's answer about all of them. */
const answering =
  (run: string | null) =>
  (count: number): VideoCommand =>
    writeBack(run, 9, found(...numbers(count).map((id) => proposed(id, id))), audioOf(count));

/** The decision, and the number of its parts. */
const inParts = (command: VideoCommand, count: number) => {
  const { decideInParts } = video;
  if (decideInParts === undefined) throw new Error('videos are decided on at once');
  const parts = decideInParts(command, stateOf(count));
  for (let turns = 0; ; turns += 1) {
    const part = parts.next();
    if (part.done === true) return { decision: part.value, turns };
  }
};

describe('decisions about thousands of faces', () => {
  for (const [name, command] of Object.entries({
    'of people': deciding,
    'that names make, suggested': queueing('suggest'),
    'that names make, committed': queueing('commit'),
    'that a worker makes': answering(null),
  })) {
    it(`${name}: are the same in parts as at once`, () => {
      for (const count of [0, 1, 1_200])
        expect(inParts(command(count), count).decision).to.deep.equal(video.decide(command(count), stateOf(count)));
    });
  }

  it('take more parts for more names to compare', () => {
    const turnsFor = (count: number): number => inParts(queueing('suggest')(count), count).turns;
    expect(turnsFor(3_000) - turnsFor(1_000)).to.be.at.least(12);
  });

  it('of a worker take a part for each pass over all of them', () => {
    expect(inParts(answering(null)(2), 2).turns).to.be.at.least(3);
  });

  it('of people take a part for each pass over all of them', () => {
    expect(inParts(deciding(2), 2).turns).to.be.at.least(4);
  });
});
