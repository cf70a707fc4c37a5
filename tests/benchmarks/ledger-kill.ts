import { ledgerKill } from '../support/ledger-kill/rounds.js';
import { quick, whole } from './support/figures.js';

/* SIGKILL under grants, corrections, windows and billed inferences: the ledger adds up, nothing is lost or doubled. */

const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const operations = quick ? 200 : Number(given ?? 10_000);

const report = await ledgerKill({
  operations,
  clients: 16,
  longest_ms: quick ? 1_000 : 10_000,
  onKill: (kills, { done, unanswered }) =>
    console.log(
      `kill ${kills}: ${whole(done)} of ${whole(operations)} operations, ${unanswered.length} keys to repeat`,
    ),
});
const { kills, charges, bookings, repeats, violations } = report;
violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 600)}`));
console.log(
  `${kills} kills, ${whole(report.operations)} operations of 16 clients, ${whole(bookings)} grants and corrections, ` +
    `${whole(charges)} charges, ${whole(repeats)} repeats with a key: ` +
    (violations.length === 0
      ? 'the ledger adds up, nothing lost, nothing doubled, nobody overdrawn by more than one call'
      : `${violations.length} VIOLATIONS`),
);
process.exitCode = violations.length === 0 ? 0 : 1;
