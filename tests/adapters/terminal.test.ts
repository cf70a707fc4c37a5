import { expect } from 'chai';
import { watchedOn } from '../../adapters/cli/terminal.js';
import { pinoLog } from '../../adapters/log/pino-log.js';

/** The output for steps, each this many milliseconds after the previous one. */
const shownOn = async (isTTY: boolean, steps: ReadonlyArray<readonly [pause: number, share: number | null]>) => {
  const written: string[] = [];
  let now = 0;
  const watched = watchedOn({ isTTY, write: (text) => written.push(text) }, () => now);
  const result = await watched(async (onProgress) => {
    for (const [index, [pause, share]] of steps.entries()) {
      now += pause;
      onProgress({ events: 1_000 * (index + 1), share });
    }
    return 'done';
  });
  expect(result).to.equal('done');
  return written;
};

const clearLine = '\r\u001B[K';

describe('the progress of reading', () => {
  it('is shown as a line after a second, and removed at the end', async () =>
    expect(
      await shownOn(true, [
        [900, 0.1],
        [200, 0.5],
        [50, 0.6],
        [100, null],
      ]),
    ).to.deep.equal([
      `${clearLine}###############............... 50 % 2,000 events`,
      `${clearLine}4,000 events`,
      clearLine,
    ]));

  it('is shown only on a terminal, and not for short work', async () => {
    expect(await shownOn(false, [[5_000, 0.5]])).to.deep.equal([]);
    expect(await shownOn(true, [[10, 0.5]])).to.deep.equal([]);
  });
});

describe('lines of the log', () => {
  it('are readable text if requested: time, level, message, facts', () => {
    const lines: string[] = [];
    const log = pinoLog('info', 'pretty', { write: (text) => void lines.push(text) });
    log.info('listening', { url: 'http://127.0.0.1:8080' });
    log.warn('left to the process', { request_id: 'r 1', tries: 2, none: null });
    log.error('a "quoted" message');
    const [first = '', second = '', third = ''] = lines;
    expect(first).to.match(/^\d\d:\d\d:\d\d\.\d{3} INFO  listening url=http:\/\/127\.0\.0\.1:8080\n$/);
    expect(second).to.match(/ WARN  left to the process request_id="r 1" tries=2 none=null\n$/);
    expect(third).to.match(/ ERROR a "quoted" message\n$/);
  });
});
