import Mocha from 'mocha';

/** Milliseconds. */
const timeToEnd = 10_000;

/** Resources that a test left open must not keep the process running for ever. */
const endSoon = (): void => {
  setTimeout(() => {
    process.stdout.write(`Ended with these left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, timeToEnd).unref();
};

/** Mocha's report, with a final line of the counts. */
export default class PlainClosingLine extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
      endSoon();
    });
  }
}
