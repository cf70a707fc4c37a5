import type { EventStore } from '../../../application/ports/event-store.js';

export interface OneByOne {
  readonly append: EventStore['append'];
  /** Resolves once nothing is under way. */
  readonly drain: () => Promise<void>;
}

/**
 * Appends to one stream go out one after the other: the server may take up what is sent at once in any order, and the
 * one that is based on another would be refused. Appends to different streams go out at once.
 */
export const oneByOne = (append: EventStore['append']): OneByOne => {
  const last = new Map<string, Promise<unknown>>();
  return {
    append: (stream, expected, events) => () => {
      const send = append(stream, expected, events);
      const sent = (last.get(stream) ?? Promise.resolve()).then(send);
      last.set(stream, sent);
      const leave = (): void => {
        if (last.get(stream) === sent) last.delete(stream);
      };
      sent.then(leave, leave);
      return sent;
    },
    drain: async () => {
      await Promise.allSettled(last.values());
    },
  };
};
