import { parentPort } from 'node:worker_threads';
import { parseAvaCsv } from './parse.js';
import { right } from './support.js';

/** Rows of one face over hours of video, which talks for 4 s in every 10 s. */
const manyRows = function* (count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    const label = index % 250 < 100 ? 'SPEAKING_AUDIBLE' : 'NOT_SPEAKING';
    yield `clip,${(index * 0.04).toFixed(2)},0.1,0.2,0.3,0.4,${label},clip_0:1`;
  }
};

const { faces, summary } = right(parseAvaCsv(manyRows(600_000)));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage({ rows: summary.rows, tracks: faces[0]?.tracks, talking: faces[0]?.talking.length });
