import Mocha from 'mocha';

/** Milliseconds. */
const timeToEnd = 10_000;

/** What a test has left open must not hold the run for ever. */
const endSoon = (): void => {
  setTimeout(() => {
    process.stdout.write(`Ended with these left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, timeToEnd).unref();
};

/** The usual report, with a closing line that says the counts plainly. */
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
