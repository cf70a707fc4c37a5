import type { RequestHandler } from 'express';

/** So many turns of the event loop without a new request tell that no more are arriving just now. */
const quietTurns = 2;
/** For so long those that are arriving are let in before the next one begins, in milliseconds. */
const longestArrival = 10;

/**
 * Lets requests begin one at a time, each in a turn of the event loop of its own, after those that are arriving have
 * been let in (one connection is accepted in a turn). So of a thousand that arrive at once none keeps others waiting for
 * more than its own work, and what needs no turn, as health checks do not, is answered in between.
 */
export const inTurn = (): RequestHandler => {
  const waiting: Array<() => void> = [];
  let arrived = 0;
  const letIn = (since: number, before: number, quiet: number): void => {
    const turns = arrived === before ? quiet + 1 : 0;
    if (turns < quietTurns && performance.now() - since < longestArrival)
      return void setImmediate(letIn, since, arrived, turns);
    waiting.shift()?.();
    /* What has begun is at work until the next turn. */
    if (waiting.length > 0) setImmediate(() => letIn(performance.now(), arrived, 0));
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      arrived += 1;
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(() => letIn(performance.now(), arrived, 0));
    });
  return async (request, _, next) => {
    await turn();
    /* Nobody is there any more to be answered. */
    if (!request.socket.destroyed) next();
  };
};
