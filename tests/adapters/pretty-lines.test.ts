import { expect } from 'chai';
import { pinoLog } from '../../adapters/log/pino-log.js';

const written = (format: 'pretty' | 'json'): ReadonlyArray<string> => {
  const lines: string[] = [];
  const log = pinoLog('info', format, { write: (text) => void lines.push(text) });
  log.info('listening', { url: 'http://127.0.0.1:8080' });
  log.warn('left to the process', { request_id: 'r 1', tries: 2, none: null });
  log.error('a "quoted" message');
  return lines;
};

describe('lines of the log', () => {
  it('are readable text if requested: time, level, message, facts', () => {
    const [first = '', second = '', third = ''] = written('pretty');
    expect(first).to.match(/^\d\d:\d\d:\d\d\.\d{3} INFO  listening url=http:\/\/127\.0\.0\.1:8080\n$/);
    expect(second).to.match(/ WARN  left to the process request_id="r 1" tries=2 none=null\n$/);
    expect(third).to.match(/ ERROR a "quoted" message\n$/);
  });

  it('are JSON otherwise', () => {
    const [first = '{}'] = written('json');
    const entry: unknown = JSON.parse(first);
    expect(entry).to.include({ level: 30, msg: 'listening', url: 'http://127.0.0.1:8080' });
  });
});
