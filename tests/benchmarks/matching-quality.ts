import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { readClips, sets } from './matching/clips.js';
import { conditions, trialsOf } from './matching/conditions.js';
import { peerLinks } from './matching/peer.js';
import { scoreHeader, scoreLine } from './matching/score-table.js';
import { type ScoredLink, scoreOf } from './matching/scoring.js';

const methods: readonly { readonly name: string; readonly links: (input: MatchInput) => readonly ScoredLink[] }[] = [
  { name: 'peer', links: peerLinks },
  { name: 'ours', links: (input) => matchSpeakersToFaces(input).matches },
];

console.log(scoreHeader);
for (const set of sets) {
  const [{ name }, clips] = [set, readClips(set)];
  for (const condition of conditions) {
    const trials = clips.flatMap((clip, n) => trialsOf(clip, condition, n + 1));
    if (trials.length === 0) continue;
    for (const method of methods) {
      process.stderr.write(`${name}, ${condition.name}, ${method.name}: ${clips.length} clips\r`);
      const score = scoreOf(trials.map(({ input, truth }) => ({ truth, proposed: method.links(input) })));
      console.log(scoreLine(name, condition.name, method.name, score));
    }
  }
}
