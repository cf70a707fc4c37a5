import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { readClips, sets } from './matching/clips.js';
import { randomFrom } from '../support/realtime/random.js';
import { type Trial, conditions, trialsOf } from './matching/conditions.js';
import { peerLinks } from './matching/peer.js';
import { scoreHeader, scoreLine, type ScoredLink, scoreOf } from './matching/scoring.js';

const methods: readonly { readonly name: string; readonly links: (input: MatchInput) => readonly ScoredLink[] }[] = [
  { name: 'peer', links: peerLinks },
  { name: 'ours', links: (input) => matchSpeakersToFaces(input).matches },
];

/** How many random orders of its faces each clip is given in: a method must not gain by how a file orders them. */
const orders = 5;

const inRandomOrder = ({ input, truth }: Trial, seed: number): Trial => {
  const random = randomFrom(seed);
  const drawn = input.faces.map((face) => ({ face, place: random() }));
  return { truth, input: { ...input, faces: drawn.toSorted((a, b) => a.place - b.place).map(({ face }) => face) } };
};

console.log(scoreHeader);
for (const set of sets) {
  const [{ name }, clips] = [set, readClips(set)];
  for (const condition of conditions) {
    const given = clips.flatMap((clip, n) => trialsOf(clip, condition, n + 1));
    const trials = Array.from({ length: orders }, (_, order) =>
      given.map((trial, n) => inRandomOrder(trial, order * given.length + n + 1)),
    ).flat();
    if (trials.length === 0) continue;
    for (const method of methods) {
      process.stderr.write(`${name}, ${condition.name}, ${method.name}: ${clips.length} clips\r`);
      const score = scoreOf(trials.map(({ input, truth }) => ({ truth, proposed: method.links(input) })));
      console.log(scoreLine(name, condition.name, method.name, score));
    }
  }
}
