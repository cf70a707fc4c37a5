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
const longest = ['e2e/erasure-search.slow', 'e2e/console-review.slow', 'e2e/console-account', 'e2e/console-audit'].map(
  (name) => join('dist', 'tests', `${name}.test.js`),
);

const isSlow = (file) => file.endsWith('.slow.test.js');
/** `npm test` runs what is quick, `npm run test:slow` the rest, `npm run test:long` everything in its long form. */
const isOfForm = { slow: isSlow, long: () => true }[process.env.TEST_FORM] ?? ((file) => !isSlow(file));

const folder = join('dist', 'tests');
const chosen = existsSync(folder)
  ? readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => join(folder, name))
      .filter(isOfForm)
  : [];

module.exports = {
  spec: [...new Set([...longest, ...chosen.toSorted().toReversed()])].filter((file) => chosen.includes(file)),
  reporter: 'dist/tests/support/reporter.js',
  parallel: true,
  // More than cores: many tests wait for other processes, or for time to pass.
  jobs: 5,
  timeout: 60_000,
};
