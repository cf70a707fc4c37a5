import type { IncomingMessage } from 'node:http';
import { refuseSlowBody } from './raw-answers.js';

/** How many bytes a connection had received, and since when, in milliseconds of the process. */
interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** Whether the client sends nothing, as opposed to the service not reading. */
const isWaitingForClient = ({ readableFlowing, socket }: IncomingMessage): boolean =>
  readableFlowing === true && !socket.isPaused();

/** The same for a request that has not started: Node receives the first part of its body, and no more. */
const isWaitingBeforeStart = ({ headers, readableLength, readableHighWaterMark }: IncomingMessage): boolean =>
  headers.expect === undefined && readableLength < readableHighWaterMark;

/** The requests whose body is incomplete. */
export const incompleteBodies = (maxIncomplete: number, isHeld: (request: IncomingMessage) => boolean) => {
  const bodies = new Map<IncomingMessage, Progress>();
  const oldest = (count: number): ReadonlyArray<readonly [IncomingMessage, Progress]> => {
    const found: Array<readonly [IncomingMessage, Progress]> = [];
    for (const entry of bodies) {
      if (found.length === count) break;
      found.push(entry);
    }
    return found;
  };
  return {
    add: (request: IncomingMessage): void =>
      void bodies.set(request, { bytes: request.socket.bytesRead, since: performance.now() }),
    remove: (request: IncomingMessage): void => void bodies.delete(request),
    isOver: (factor = 1): boolean => bodies.size > factor * maxIncomplete,
    /**
     * Examines up to `maxCount` of the oldest, and ends those of which no byte has arrived for `minStallMs`. Returns whether
     * it ended any.
     */
    closeSome: (maxCount: number, minStallMs: number): boolean => {
      const now = performance.now();
      let closedAny = false;
      for (const [request, progress] of oldest(Math.min(bodies.size - maxIncomplete, maxCount))) {
        const { bytesRead: bytes } = request.socket;
        bodies.delete(request);
        if (request.complete) continue;
        const isWaiting = isHeld(request) ? isWaitingBeforeStart(request) : isWaitingForClient(request);
        const isStalled = isWaiting && bytes === progress.bytes;
        const isExpired = isStalled && now - progress.since >= minStallMs;
        if (isExpired) refuseSlowBody(request.socket);
        else bodies.set(request, isStalled ? progress : { bytes, since: now });
        closedAny ||= isExpired;
      }
      return closedAny;
    },
  };
};
