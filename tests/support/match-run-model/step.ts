import * as fc from 'fast-check';
import type { Answer, Model, Outcome } from './model.js';
import type { Subject } from './subject.js';

/** An action of a client or a worker, or the passage of time: what the model says of it, and how the application does it. */
export interface Step {
  /** Shown if the property fails. */
  readonly what: string;
  readonly kind: 'request' | 'analysis' | 'time';
  /** Milliseconds that pass before it. */
  readonly passes: (model: Model, now: number) => number;
  /** Applies it to the model. Returns the expected outcome. */
  readonly predict: (model: Model, now: number) => Outcome;
  readonly perform: (subject: Subject) => Promise<Answer>;
}

export const step = <Values>(
  what: string,
  values: fc.Arbitrary<Values>,
  doing: (values: Values) => Pick<Step, 'predict' | 'perform'>,
  kind: Step['kind'] = 'request',
): fc.Arbitrary<Step> =>
  values.map((given) => ({ what: `${what} ${JSON.stringify(given)}`, kind, passes: () => 0, ...doing(given) }));

export const ids = [0, 1, 2, 3];
