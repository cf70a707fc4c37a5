// A test runner for Stryker that runs compiled tests with the Mocha of this project, within Stryker's own process:
// Stryker's runner for Mocha does not know the layout of Mocha 12 on Node.js 20.
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import Mocha from 'mocha';
import { PluginKind, declareClassPlugin, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

const folder = join('dist', 'tests');
/** Which test files run, as a pattern: `MUTATION_TESTS=^application/` runs the tests of use cases and reactions. */
const chosenFiles = new RegExp(process.env.MUTATION_TESTS ?? '^domain/');
/** How long each test took in the first run: a process that follows another goes by it too. */
const times = join('dist', 'times-of-tests.json');
/** A test that takes longer than this does not run where shorter ones reach the mutant. */
const longMs = 150;
/** Few cases for each property that does not say how many, and always the same ones: a score can be reproduced. */
fc.configureGlobal({ numRuns: 25, seed: 1 });

/** What the instrumented code and Stryker share. */
const instrumented = () => (globalThis.__stryker__ ??= {});

let results = [];

/** Notes what becomes of each test. A test is known by its full title. */
function Reporter(runner) {
  results = [];
  const spent = () => process.cpuUsage().user / 1000;
  let started = spent();
  const note = (name, outcome) => {
    results.push({ id: name, name, timeSpentMs: Math.round(spent() - started), ...outcome });
    started = spent();
  };
  runner.on('pass', (test) => note(test.fullTitle(), { status: TestStatus.Success }));
  runner.on('fail', (test, error) =>
    note((test.ctx?.currentTest ?? test).fullTitle(), {
      status: TestStatus.Failed,
      failureMessage: error.message || error.stack || 'failed',
    }),
  );
}

const setBail = (suite, isOn) => {
  suite.bail(isOn);
  suite.suites.forEach((one) => setBail(one, isOn));
};

/** The fastest first: most mutants are killed by these, and the slow ones then need not run. */
const sort = (suite, spent) => {
  suite.suites.forEach((one) => sort(one, spent));
  const timeOf = ({ tests, suites }) =>
    tests.reduce((sum, test) => sum + (spent[test.fullTitle()] ?? 0), 0) +
    suites.reduce((sum, one) => sum + timeOf(one), 0);
  suite.suites.sort((one, other) => timeOf(one) - timeOf(other));
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

class ChosenTests {
  #mocha = new Mocha({ reporter: Reporter, timeout: 0 });
  #isLoaded = false;

  /** Modules are loaded once: for a mutant that counts while they load, Stryker starts another process. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    this.#mocha.cleanReferencesAfterRun(false);
    // Properties are left out: they are random, and hundreds of cases for each mutant take hours.
    const files = readdirSync(folder, { recursive: true }).filter(
      (name) => name.endsWith('.test.js') && !name.includes('propert') && chosenFiles.test(name),
    );
    for (const file of files) this.#mocha.addFile(resolve(folder, file));
    this.#mocha.suite.beforeEach(function () {
      instrumented().currentTestId = this.currentTest?.fullTitle();
    });
  }

  async dryRun({ coverageAnalysis, disableBail }) {
    const result = await this.#run(disableBail, undefined, undefined);
    writeFileSync(times, JSON.stringify(Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
    this.#sort();
    return result.status === DryRunStatus.Complete && coverageAnalysis !== 'off'
      ? { ...result, mutantCoverage: instrumented().mutantCoverage }
      : result;
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit, mutantActivation }) {
    // Stryker takes a hundred times the hits of the first run for an endless loop; three times is enough.
    instrumented().hitLimit = hitLimit && Math.ceil(hitLimit / 33);
    instrumented().hitCount = hitLimit ? 0 : undefined;
    this.#mocha.grep(
      new RegExp(
        testFilter
          ? this.#fast(testFilter)
              .map((id) => `^${escaped(id)}$`)
              .join('|')
          : '',
      ),
    );
    return toMutantRunResult(await this.#run(disableBail, activeMutant.id, mutantActivation));
  }

  #spent() {
    return existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : {};
  }

  #sort() {
    sort(this.#mocha.suite, this.#spent());
  }

  /** The tests without the long ones, unless only long ones reach the mutant. */
  #fast(ids) {
    const spent = this.#spent();
    const fast = ids.filter((id) => (spent[id] ?? 0) < longMs);
    return fast.length > 0 ? fast : ids;
  }

  async #run(disableBail, mutant, activation) {
    setBail(this.#mocha.suite, !disableBail);
    try {
      if (!this.#isLoaded) {
        instrumented().activeMutant = activation === 'static' ? mutant : undefined;
        await this.#mocha.loadFilesAsync();
        this.#isLoaded = true;
        this.#sort();
        setBail(this.#mocha.suite, !disableBail);
      }
      instrumented().activeMutant = mutant;
      await new Promise((done) => this.#mocha.run(done));
      const { hitCount, hitLimit } = instrumented();
      return determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests: results };
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error?.stack ?? error) };
    }
  }
}

const create = () => new ChosenTests();
create.inject = [];

/** Writes each result as it comes, one JSON object a line, so that a run that is stopped early is not lost. */
class AsTested {
  onMutantTested({ fileName, location, mutatorName, replacement, status }) {
    const { line, column } = location.start;
    const result = { status, fileName, line, column, mutatorName, replacement };
    appendFileSync(join('dist', 'mutants.ndjson'), `${JSON.stringify(result)}\n`);
  }
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'chosen-tests', create),
  declareClassPlugin(PluginKind.Reporter, 'as-tested', AsTested),
];
