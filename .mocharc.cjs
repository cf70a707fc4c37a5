const { accessSync, constants, existsSync, readdirSync, statfsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Data of the tests lies in memory where there is a file system for that with room enough: no test needs a disk that
 * outlives a loss of power, and waiting for one takes a third of the time. TMPDIR chooses another place.
 */
const memory = '/dev/shm';
const roomNeeded = 2 ** 31;
const hasRoom = (folder) => {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > roomNeeded;
  } catch {
    return false;
  }
};
if (process.env.TMPDIR === undefined && hasRoom(memory)) process.env.TMPDIR = memory;

/** Files of the longest tests come first, so that none of them is still running when all others have ended. */
const longest = [
  'house/lint',
  'e2e/erasure-search',
  'e2e/console-review',
  'e2e/process',
  'e2e/console-looks',
  'e2e/console-live',
  'e2e/console-video',
  'e2e/console-markup',
  'e2e/console-long',
  'e2e/audit-command',
  'adapters/corruption',
  'e2e/data-files',
  'e2e/several-instances',
  'e2e/read-models-command',
  'e2e/ledger-kill',
  'adapters/eventstoredb/contract-versions',
  'e2e/event-store-away',
  'e2e/large-answers',
  'e2e/large-bodies',
  'e2e/inference-crash',
  'e2e/kill-nine',
  'e2e/realtime-kill',
  'e2e/realtime-browser',
  'house/import-laws',
].map((name) => join('dist', 'tests', `${name}.test.js`));

const folder = join('dist', 'tests');
const all = existsSync(folder)
  ? readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => join(folder, name))
  : [];

module.exports = {
  spec: [...new Set([...longest, ...all.toSorted().toReversed()])].filter((file) => all.includes(file)),
  reporter: 'dist/tests/support/reporter.js',
  parallel: true,
  // More than cores: many tests wait for other processes, or for time to pass.
  jobs: 5,
  timeout: 60_000,
};
