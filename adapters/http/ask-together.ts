import type { Wake } from '../../projections/queries.js';

/**
 * Asks once for all who were woken by the same change: what is asked after it is new enough for each of them. Those
 * whom no change woke share what is asked within one turn of the event loop.
 */
export const askTogether = <Answer>(): ((
  wake: Wake | null,
  key: string,
  ask: () => Promise<Answer>,
) => Promise<Answer>) => {
  const answers = new WeakMap<Wake, Map<string, Promise<Answer>>>();
  let turn: Wake | null = null;
  const thisTurn = (): Wake => {
    if (turn === null) setImmediate(() => (turn = null));
    return (turn ??= {});
  };
  return (wake, key, ask) => {
    const shared = wake ?? thisTurn();
    const known = answers.get(shared) ?? new Map<string, Promise<Answer>>();
    answers.set(shared, known);
    const answer = known.get(key) ?? ask();
    known.set(key, answer);
    return answer;
  };
};
