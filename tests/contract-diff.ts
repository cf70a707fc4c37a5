import { readFileSync } from 'node:fs';
import {
  changesBetween,
  type Contract,
  contractOf,
  keepAsReleased,
  presentContract,
  releasedContract,
} from './support/contract.js';

/* Compares a document (a file, an address, or else that of the last release) with the one that the service gives now. */

const [given] = process.argv.slice(2);

const baseOf = async (): Promise<Contract | null> => {
  if (given === undefined) return releasedContract();
  return contractOf(/^https?:/.test(given) ? await (await fetch(given)).text() : readFileSync(given, 'utf8'));
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const present = await presentContract();
if (given === '--keep') {
  keepAsReleased(present);
  say(`The document of ${present.info.version} is kept as the one that was released last.`);
} else {
  const base = await baseOf();
  if (base === null) {
    say('Nothing was released yet. Name a file or an address to compare with.');
    process.exit(2);
  }
  const changes = changesBetween(base, present);
  const breaking = changes.filter(({ breaks }) => breaks);
  for (const { at, message, breaks } of [...breaking, ...changes.filter(({ breaks }) => !breaks)])
    say(`${breaks ? 'breaks clients' : 'compatible    '}  ${at}: ${message}`);
  say(`${breaking.length} of ${changes.length} changes break clients.`);
  process.exitCode = breaking.length === 0 ? 0 : 1;
}
