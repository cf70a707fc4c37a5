/** What of answers waits for their clients to take it. */
export interface UnsentAnswers {
  /** An answer of nothing yet, to an account; `cutOff` is called where others need its memory more. */
  readonly open: (account: string, cutOff: () => void) => UnsentAnswer;
}

export interface UnsentAnswer {
  /** So many bytes more wait. */
  readonly hold: (bytes: number) => void;
  /** The client has taken so many of them. */
  readonly taken: (bytes: number) => void;
  /** The answer has ended: it holds nothing any more. Again is nothing. */
  readonly end: () => void;
}

/** What may wait in all, and of one account, in bytes. */
export interface UnsentLimits {
  readonly total: number;
  readonly each: number;
}

const mebibyte = 1024 * 1024;

const usual: UnsentLimits = { total: 96 * mebibyte, each: 32 * mebibyte };

interface Held {
  readonly account: string;
  readonly cutOff: () => void;
  bytes: number;
}

/**
 * Counts what waits to be taken, and cuts answers off where that is too much: of the account that holds too much, or else
 * of the one that holds most, the answer of which nothing was taken for longest. An answer that is alone stays.
 */
export const unsentAnswers = ({ total, each }: UnsentLimits = usual): UnsentAnswers => {
  /** Those that hold something; the one of which nothing was taken for longest is the first. */
  const answers = new Set<Held>();
  const accounts = new Map<string, number>();
  let all = 0;
  const add = (held: Held, bytes: number): void => {
    const own = (accounts.get(held.account) ?? 0) + bytes;
    if (own > 0) accounts.set(held.account, own);
    else accounts.delete(held.account);
    held.bytes += bytes;
    all += bytes;
  };
  const end = (held: Held): void => {
    if (answers.delete(held)) add(held, -held.bytes);
  };
  const greatest = (): string | undefined => [...accounts].sort(([, one], [, other]) => other - one)[0]?.[0];
  /** Whether there was one to be cut off, beside the one that needs the room. */
  const cutOne = (account: string, needing: Held): boolean => {
    const found = [...answers].find((held) => held.account === account && held !== needing);
    if (found === undefined) return false;
    end(found);
    found.cutOff();
    return true;
  };
  const makeRoom = (needing: Held): void => {
    const { account } = needing;
    const crowding = (accounts.get(account) ?? 0) > each ? account : all > total ? greatest() : undefined;
    if (crowding !== undefined && cutOne(crowding, needing)) makeRoom(needing);
  };
  return {
    open: (account, cutOff) => {
      const held: Held = { account, cutOff, bytes: 0 };
      return {
        hold: (bytes) => {
          answers.add(held);
          add(held, bytes);
          makeRoom(held);
        },
        taken: (bytes) => {
          if (!answers.delete(held)) return;
          add(held, -Math.min(bytes, held.bytes));
          if (held.bytes > 0) answers.add(held);
        },
        end: () => end(held),
      };
    },
  };
};
