const { accessSync, constants, existsSync, readdirSync, statfsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Test data are in a file system in memory if there is one with enough room: no test needs data to survive a power failure,
 * and waiting for a disk takes a third of the time. TMPDIR chooses another place.
 */
const memory = '/dev/shm';
const minFreeBytes = 2 ** 31;
const hasRoom = (folder) => {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > minFreeBytes;
  } catch {
    return false;
  }
};
if (process.env.TMPDIR === undefined && hasRoom(memory)) process.env.TMPDIR = memory;

/** The longest files start first, so that none of them is still running when all others have ended. */
const longest = [
  'e2e/erasure-search.slow',
  'e2e/console-reviewers.slow',
  'e2e/console-review.slow',
  'e2e/console-account.slow',
  'e2e/console-audit.slow',
  'e2e/console-live.slow',
  'e2e/console-video.slow',
  'e2e/console-videos.slow',
  'e2e/console-import.slow',
  'e2e/console',
  'e2e/erasure',
  'adapters/webrtc/embedded-engine',
].map((name) => join('dist', 'tests', `${name}.test.js`));

const isSlow = (file) => file.endsWith('.slow.test.js');
/** `npm test` runs the quick files, `npm run test:slow` the slow ones, `npm run test:long` all files in their long form. */
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
  // More than the cores, because many tests wait for processes or timers. Each job loads all modules again, in 5 s of
  // processor time.
  jobs: process.env.TEST_FORM === undefined ? 6 : 5,
  timeout: 60_000,
};
