import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { ReportLine } from './protocol.js';

/** No report is nearly as long. */
const longestLine = 64 * 1_024;

const reportOf = (line: string): EngineReport => {
  const json: unknown = JSON.parse(line);
  const report = ReportLine.decode(json);
  if (E.isLeft(report)) throw new TypeError('a line is not a report');
  return report.right;
};

/** The reports in a stream of JSON lines; empty lines keep it alive. Throws at a line that is none. */
export const reportLines = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EngineReport> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new TypeError('a line is too long');
    for (const line of lines) if (line.trim() !== '') yield reportOf(line);
  }
};
