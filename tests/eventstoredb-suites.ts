import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { versionNames, versionOf } from './support/event-store/versions.js';

/*
 * Runs the suites that touch the event store on EventStoreDB: on our own server as it is, on our own server behaving as
 * a version of EventStoreDB does, or on the server that EVENT_STORE_SERVER_CMD starts.
 *
 *   npm run test:eventstoredb                            our own server as it is, all end-to-end suites
 *   npm run test:eventstoredb -- --version=24.6          as that version
 *   npm run test:eventstoredb -- --version=all           as it is, then as each version
 *   npm run test:eventstoredb -- --short --version=all   a few suites of each
 *   npm run test:eventstoredb -- --version=26 put-match  only suites whose path contains a word
 */

const folder = 'dist/tests';
const store = [
  `${folder}/adapters/event-store.test.js`,
  `${folder}/adapters/eventstoredb/*.test.js`,
  `${folder}/adapters/copy-events.test.js`,
];
const whole = [...store, `${folder}/e2e/*.test.js`];
/** Subscriptions, an outage, and the longest chain of commands and reactions. */
const short = [`${folder}/adapters/eventstoredb/killed-server.slow.test.js`, `${folder}/e2e/put-match.test.js`];
/** Other versions differ below the port alone: the suites that see it are enough. */
const below = [...store, `${folder}/e2e/{kill-nine,event-store-away,several-instances,put-match}{,.slow}.test.js`];

const { values, positionals } = parseArgs({
  options: {
    version: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const chosen = values.version === 'all' ? ['', ...versionNames] : [values.version];
chosen.forEach(versionOf);

const suitesOf = (version: string): ReadonlyArray<string> => {
  if (positionals.length > 0) return positionals.map((word) => `${folder}/{adapters,e2e}/**/*${word}*.test.js`);
  if (values.short) return short;
  return version === '' ? whole : below;
};

const reporter = ['--reporter', `${folder}/support/reporter.js`];
const failed: string[] = [];
for (const version of chosen) {
  const name = version === '' ? 'as it is' : `as ${version}`;
  process.stdout.write(`\nEventStoreDB, ${name}\n`);
  const child = spawn(
    'npx',
    ['mocha', '--no-config', ...reporter, '--timeout', '60000', '--exit', ...suitesOf(version)],
    {
      stdio: 'inherit',
      env: { ...process.env, TEST_EVENT_STORE: 'esdb', TEST_EVENT_STORE_VERSION: version },
    },
  );
  await once(child, 'exit');
  if (child.exitCode !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? '\nAll passed.\n' : `\nFailed: ${failed.join(', ')}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
