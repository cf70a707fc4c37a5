import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/** The work of a load generator: each client sends its next request after the answer to the last. */
export const Load = t.type({
  port: t.number,
  key: t.string,
  clients: t.number,
  /** The video of the n-th client is `<prefix><n>`, or `<prefix>0` for all. */
  prefix: t.string,
  one_video: t.boolean,
  milliseconds: t.number,
});
export type Load = t.TypeOf<typeof Load>;

export const LoadFigures = t.type({
  /** Durable changes a second: answers with 200 and an event position. */
  per_second: t.number,
  changed: t.number,
  p50: t.number,
  p99: t.number,
  /** Answers that changed nothing. */
  unchanged: t.number,
  /** Any other answer. */
  failed: t.number,
});
export type LoadFigures = t.TypeOf<typeof LoadFigures>;

const generator = fileURLToPath(new URL('./load-process.js', import.meta.url));

/** Puts a service under load from a separate process. */
export const underLoad = async (load: Load): Promise<LoadFigures> => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(load)]);
  const figures = LoadFigures.decode(JSON.parse(stdout));
  if (E.isLeft(figures)) throw new Error(`the load generator said: ${stdout}`);
  return figures.right;
};
