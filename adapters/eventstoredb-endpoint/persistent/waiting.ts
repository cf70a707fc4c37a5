import type { Message } from './message.js';

/** Messages that no consumer has: those that come back before those that were read. */
export interface Waiting {
  readonly add: (message: Message) => void;
  readonly addAgain: (messages: ReadonlyArray<Message>) => void;
  /** Takes out the first that is wanted. */
  readonly take: (wanted: (message: Message) => boolean) => Message | null;
  readonly size: () => number;
}

const takeFrom = (messages: Message[], wanted: (message: Message) => boolean): Message | null => {
  const at = messages.findIndex(wanted);
  const [taken] = at === -1 ? [] : messages.splice(at, 1);
  return taken ?? null;
};

export const createWaiting = (): Waiting => {
  const again: Message[] = [];
  const read: Message[] = [];
  return {
    add: (message) => void read.push(message),
    addAgain: (messages) => void again.push(...messages),
    take: (wanted) => takeFrom(again, wanted) ?? takeFrom(read, wanted),
    size: () => again.length + read.length,
  };
};
