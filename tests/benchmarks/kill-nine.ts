import { killNine } from '../support/kill-nine/rounds.js';
import { quick, whole } from './support/figures.js';

/* SIGKILL under load, again and again: nothing acknowledged may be lost, and no reaction may be missing. */

const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const rounds = quick ? 1 : Number(given ?? 50);

const results = await killNine({
  rounds,
  onRound: ({ round, acknowledged, events, violations }) => {
    console.log(`round ${round}: ${acknowledged} acknowledged, ${events} events, ${violations.length} violations`);
    violations.slice(0, 5).forEach((violation) => console.log(`  ${violation.slice(0, 600)}`));
  },
});
const violations = results.reduce((sum, round) => sum + round.violations.length, 0);
const acknowledged = results.reduce((sum, round) => sum + round.acknowledged, 0);
console.log(
  `${rounds} kills, ${whole(acknowledged)} acknowledged writes, ${whole(results.at(-1)?.events ?? 0)} events: ` +
    (violations === 0 ? 'nothing lost, nothing half done' : `${violations} VIOLATIONS`),
);
process.exitCode = violations === 0 ? 0 : 1;
