import * as E from 'fp-ts/lib/Either.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { video } from '../../domain/video/decider.js';
import { found, trigger, writeBack, audioWith, completed, face, proposed } from '../support/video-events.js';
import { at, faceId, personName, speakerId } from '../support/values.js';
import { timed } from './support/figures.js';

/*
 * How long the largest decisions of a video take, at the limits of what arrives: 1,000 mappings, matches or decisions, on
 * a video with 2,000 faces and an audio with 1,000 speakers. The aim is 20 ms each.
 */

const faces = 2_000;
const speakers = 1_000;
const runs = 15;

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];
const nameOf = (id: number): string => `Ünal Çelik ${'x'.repeat(id % 40)}${id}`;
const state = completed(...numbers(faces).map((id) => face(id, nameOf(id)))).reduce(video.evolve, video.initial);
const audio = audioWith(...numbers(speakers).map((id): readonly [number, string] => [id, nameOf(id)]));
const pairs = numbers(speakers).map((id) => ({ speaker_id: speakerId(id), face_id: faceId(id) }));

const commands: Readonly<Record<string, VideoCommand>> = {
  'PUT speaker-face-match, 1,000 mappings': { type: 'MatchFaces', mappings: pairs, audio, at: at(9) },
  'decisions, 1,000': {
    type: 'DecideLinks',
    decisions: pairs.map((pair) => ({ ...pair, verdict: 'confirmed' })),
    audio,
    at: at(9),
  },
  'names of 1,000 faces': {
    type: 'RenameFaces',
    faces: numbers(speakers).map((id) => ({ face_id: faceId(id), name: personName(`Ann ${id}`) })),
    at: at(9),
  },
  'a suggest trigger that names resolve': trigger('suggest', 9, { audio }),
  'a commit trigger that names resolve': trigger('commit', 9, { audio }),
  'a write-back of 1,000 matches': writeBack(null, 9, found(...numbers(speakers).map((id) => proposed(id, id))), audio),
};

for (const [name, command] of Object.entries(commands)) {
  const took = timed(runs, () => {
    if (E.isLeft(video.decide(command, state))) throw new Error(`${name} was refused`);
  });
  console.log(`${name}: ${took}`);
}
