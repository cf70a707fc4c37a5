import * as E from 'fp-ts/lib/Either.js';
import { chunksOf } from 'fp-ts/lib/ReadonlyArray.js';
import { nextTurn } from '../runtime/event-loop.js';
import type { Change } from '../../projections/queries.js';

/** What is asked for all who wait for it. */
export interface Asked<Refused, Answer> {
  readonly ask: () => Promise<E.Either<Refused, Answer>>;
  readonly isReady: (answer: Answer) => boolean;
  /** The next change after which it is worth asking; null when none will come any more. */
  readonly nextChange: () => Change | null;
}

type Told<Refused, Answer> = Promise<E.Either<Refused, Answer>>;

/** What those who wait are told. */
export interface News<Refused, Answer> {
  readonly told: Told<Refused, Answer>;
  /** Resolves once all others are told too: what can wait leaves them the time. Null for one who waits alone. */
  readonly othersTold: Promise<void> | null;
}

type Hear<Refused, Answer> = (news: News<Refused, Answer>) => void;

/** Those who wait for the same. */
export interface Company<Refused, Answer> {
  /** Is told the answer once it is ready, or can become no other. Gives what ends the waiting before. */
  readonly join: (hear: Hear<Refused, Answer>) => () => void;
  /** Asks now, once for all who ask in the same turn of the event loop. */
  readonly askNow: () => Told<Refused, Answer>;
}

/** So many are told in one turn of the event loop. */
const toldAtOnce = 256;

/** Does something with each slice in a turn of its own. */
const runInParts = async <Slice>(slices: ReadonlyArray<Slice>, work: (slice: Slice) => void): Promise<void> => {
  for (const slice of slices) {
    work(slice);
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await nextTurn();
  }
};

/** Tells all; what each left until then is done after that, of those who were told in one turn in one turn again. */
const tell = async <Refused, Answer>(
  woken: ReadonlyArray<Hear<Refused, Answer>>,
  waiting: Set<Hear<Refused, Answer>>,
  told: Told<Refused, Answer>,
): Promise<void> => {
  const goOn: Array<() => void> = [];
  await runInParts(chunksOf(toldAtOnce)(woken), (slice) => {
    const othersTold = woken.length === 1 ? null : new Promise<void>((resolve) => goOn.push(resolve));
    for (const hear of slice) if (waiting.delete(hear)) hear({ told, othersTold });
  });
  void runInParts(goOn, (resolve) => resolve());
};

const companyOf = <Refused, Answer>(
  { ask, isReady, nextChange }: Asked<Refused, Answer>,
  ended: () => void,
): Company<Refused, Answer> => {
  const waiting = new Set<Hear<Refused, Answer>>();
  let change: Change | null = null;
  let asked: Told<Refused, Answer> | null = null;
  let isWatched = false;
  const end = (): void => {
    change?.cancel();
    ended();
  };
  /** Whether the answer stays as it is, for what can be foreseen. */
  const isLast = async (told: Told<Refused, Answer>): Promise<boolean> => {
    try {
      const answer = await told;
      return change === null || E.isLeft(answer) || isReady(answer.right);
    } catch {
      // Whoever is told of it rejects in turn.
      return true;
    }
  };
  const watch = async (): Promise<void> => {
    /* Nobody is left where the last one who waited has gone: then no change is heard of any more. */
    while (waiting.size > 0) {
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      await change?.happened;
      // Those who join from now on ask for themselves after the change; the next one is listened for before the question.
      const woken = [...waiting];
      change = nextChange();
      const told = ask();
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      if (await isLast(told)) await tell(woken, waiting, told);
    }
    end();
  };
  return {
    join: (hear) => {
      waiting.add(hear);
      if (!isWatched) {
        isWatched = true;
        change = nextChange();
        void watch();
      }
      return () => {
        if (waiting.delete(hear) && waiting.size === 0) end();
      };
    },
    askNow: () => {
      if (asked === null) setImmediate(() => (asked = null));
      return (asked ??= ask());
    },
  };
};

/** Brings those who wait for the same together, by the key of what they ask: it is asked once for all of them. */
export const waitTogether = <Refused, Answer>(): ((
  key: string,
  asked: Asked<Refused, Answer>,
) => Company<Refused, Answer>) => {
  const companies = new Map<string, Company<Refused, Answer>>();
  return (key, asked) => {
    const known = companies.get(key);
    if (known !== undefined) return known;
    const company = companyOf(asked, () => {
      if (companies.get(key) === company) companies.delete(key);
    });
    companies.set(key, company);
    return company;
  };
};
