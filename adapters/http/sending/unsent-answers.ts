/** Limits the memory of answers that wait for their clients to receive them. */
export interface UnsentAnswers {
  /** Starts counting for an answer to an account. `cutOff` is called if others need its memory more. */
  readonly open: (account: string, cutOff: () => void) => UnsentAnswer;
}

export interface UnsentAnswer {
  /** Adds bytes that wait to be sent. */
  readonly add: (bytes: number) => void;
  /** Subtracts bytes that the client has received. */
  readonly sent: (bytes: number) => void;
  /** The answer has ended and holds no more memory. Further calls have no effect. */
  readonly end: () => void;
}

/** The limit for all answers together, and for those of one account, in bytes. */
export interface UnsentLimits {
  readonly total: number;
  readonly perAccount: number;
}

const mebibyte = 1024 * 1024;

const defaultLimits: UnsentLimits = { total: 96 * mebibyte, perAccount: 32 * mebibyte };

interface Held {
  readonly account: string;
  readonly cutOff: () => void;
  bytes: number;
}

/**
 * Counts unsent bytes. If an account, or all accounts together, exceed their limit, the answer that has made no progress
 * for longest is cut off: one of the account that exceeds its limit, otherwise of the account that holds most. An answer
 * that is the only one of its account is not cut off for its own growth.
 */
export const unsentAnswers = ({ total, perAccount }: UnsentLimits = defaultLimits): UnsentAnswers => {
  /** The answers that hold memory, ordered by their last progress, oldest first. */
  const answers = new Set<Held>();
  const accounts = new Map<string, number>();
  let all = 0;
  const change = (held: Held, bytes: number): void => {
    const own = (accounts.get(held.account) ?? 0) + bytes;
    if (own > 0) accounts.set(held.account, own);
    else accounts.delete(held.account);
    held.bytes += bytes;
    all += bytes;
  };
  const end = (held: Held): void => {
    if (answers.delete(held)) change(held, -held.bytes);
  };
  const largestAccount = (): string | undefined => [...accounts].sort(([, one], [, other]) => other - one)[0]?.[0];
  /** Cuts off one answer of an account, other than the growing one. False if there is none. */
  const cutOffOne = (account: string, growing: Held): boolean => {
    const found = [...answers].find((held) => held.account === account && held !== growing);
    if (found === undefined) return false;
    end(found);
    found.cutOff();
    return true;
  };
  const enforceLimits = (growing: Held): void => {
    const { account } = growing;
    const isOver = (accounts.get(account) ?? 0) > perAccount;
    const excessive = isOver ? account : all > total ? largestAccount() : undefined;
    if (excessive !== undefined && cutOffOne(excessive, growing)) enforceLimits(growing);
  };
  return {
    open: (account, cutOff) => {
      const held: Held = { account, cutOff, bytes: 0 };
      return {
        add: (bytes) => {
          answers.add(held);
          change(held, bytes);
          enforceLimits(held);
        },
        sent: (bytes) => {
          if (!answers.delete(held)) return;
          change(held, -Math.min(bytes, held.bytes));
          if (held.bytes > 0) answers.add(held);
        },
        end: () => end(held),
      };
    },
  };
};
