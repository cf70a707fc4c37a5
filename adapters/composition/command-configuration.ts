import * as E from 'fp-ts/lib/Either.js';
import type { Surroundings } from '../cli/surroundings.js';
import { type Config, readConfig } from '../config/config.js';

/** Variables of the environment are wrong: exit code 2. */
export class WrongConfiguration extends Error {
  constructor(wrong: ReadonlyArray<string>) {
    super(`The configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  }
}

/** The configuration in an environment; `faults`: what is wrong besides. Throws if anything is wrong. */
export const configured = (env: Surroundings['env'], faults: ReadonlyArray<string> = []): Config => {
  const config = readConfig(env);
  const wrong = [...(E.isLeft(config) ? config.left : []), ...faults];
  if (E.isLeft(config) || wrong.length > 0) throw new WrongConfiguration(wrong);
  return config.right;
};
