// A test runner for Stryker that runs compiled tests with the Mocha of this project, within Stryker's own process:
// Stryker's runner for Mocha does not know the layout of Mocha 12 on Node.js 20.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import Mocha from 'mocha';
import { PluginKind, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

const folder = join('dist', 'tests');
/** Which test files run, as a pattern: `MUTATION_TESTS=^application/` runs the tests of use cases and reactions. */
const chosenFiles = new RegExp(process.env.MUTATION_TESTS ?? '^domain/');
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
    return result.status === DryRunStatus.Complete && coverageAnalysis !== 'off'
      ? { ...result, mutantCoverage: instrumented().mutantCoverage }
      : result;
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit, mutantActivation }) {
    // Stryker takes a hundred times the hits of the first run for an endless loop; three times is enough.
    instrumented().hitLimit = hitLimit && Math.ceil(hitLimit / 33);
    instrumented().hitCount = hitLimit ? 0 : undefined;
    this.#mocha.grep(new RegExp((testFilter ?? []).map((id) => `^${escaped(id)}$`).join('|')));
    return toMutantRunResult(await this.#run(disableBail, activeMutant.id, mutantActivation));
  }

  async #run(disableBail, mutant, activation) {
    setBail(this.#mocha.suite, !disableBail);
    try {
      if (!this.#isLoaded) {
        instrumented().activeMutant = activation === 'static' ? mutant : undefined;
        await this.#mocha.loadFilesAsync();
        this.#isLoaded = true;
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

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'chosen-tests', create)];
