import { bestLinks } from '../../domain/matching/assignment.js';
import { forEachOverlap, sharedSeconds, merged, totalSeconds } from '../../domain/matching/intervals.js';
import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { add, at, zeros } from '../../domain/matching/matrix.js';
import { readClips, sets } from './matching/clips.js';
import { type Trial, conditions, trialsOf } from './matching/trials.js';
import { type ScoredLink, scoreRow, scoreOf } from './matching/scoring.js';
import { randomFrom } from '../support/realtime/random.js';

/**
 * A simple method for comparison: the assignment with the longest overlap; at least 2 s, or, with talking
 * scores, a Jaccard index of speech and talking of at least 0.1.
 */
const peerLinks = ({ faces, speakers }: MatchInput): readonly ScoredLink[] => {
  const scored = faces.some(({ talking }) => talking.length > 0);
  const shown = faces.map((face) => merged(scored ? face.talking.filter(({ score }) => score >= 0.5) : face.tracks));
  const turnsOfSpeakers = speakers.map(({ turns }) => merged(turns));
  const overlaps = zeros(turnsOfSpeakers.length, shown.length);
  turnsOfSpeakers.forEach((turns, i) =>
    shown.forEach((tracks, j) =>
      forEachOverlap(turns, tracks, (a, b) => add(overlaps, i, j, sharedSeconds(turns, a, tracks, b))),
    ),
  );
  return bestLinks(overlaps).flatMap(({ row, column }) => {
    const [face, speaker, overlap] = [faces[column], speakers[row], at(overlaps, row, column)];
    const [turns, tracks] = [turnsOfSpeakers[row], shown[column]];
    if (face === undefined || speaker === undefined || turns === undefined || tracks === undefined) return [];
    const union = totalSeconds(turns) + totalSeconds(tracks) - overlap;
    if (scored ? overlap / union < 0.1 : overlap < 2) return [];
    return [{ face_id: face.face_id, speaker_id: speaker.speaker_id, accuracy: 1 }];
  });
};

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

const rows = [];
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
      rows.push(scoreRow(name, condition.name, method.name, score));
    }
  }
}
console.table(rows);
