import { isDeepStrictEqual } from 'node:util';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { creditAccountEvents } from '../../../domain/credit-account/contract.js';
import { creditAccount } from '../../../domain/credit-account/decider.js';
import { heldAt } from '../../../domain/credit-account/state.js';
import { add, creditsOf, creditsText, negate, subtract, zeroCredits } from '../../../domain/kernel/credits.js';
import { isEventOf } from '../../../domain/kernel/recorded-event.js';
import { type HttpClient, bodyOf } from '../http-client.js';
import type { Recorded, WholeLog } from '../kill-nine/log.js';
import type { Booked, Inference, Operations } from './operations.js';

const Entry = t.intersection([
  t.type({ kind: t.string, amount: t.number, balance_after: t.number, request_id: t.string }),
  t.partial({ run_id: t.string }),
]);
type Entry = t.TypeOf<typeof Entry>;
const Page = t.type({ entries: t.array(Entry), next_cursor: t.union([t.string, t.null]) });
const Credits = t.type({ balance: t.number });

/** Whole millionths, because sums of floating-point numbers are inexact. */
const millionths = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000));

/** An account's balance and its ledger, oldest first, as the service returns them. */
export const shownBooks = async (
  client: HttpClient,
  account: string,
): Promise<{ readonly balance: bigint; readonly entries: ReadonlyArray<Entry> }> => {
  const { balance } = bodyOf(Credits, await client.get(`/v1/accounts/${account}/credits`));
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = bodyOf(Page, await client.get(`/v1/accounts/${account}/ledger?limit=1000${at}`));
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  return { balance: millionths(balance), entries: entries.toReversed() };
};

const isAccountEvent = isEventOf(creditAccountEvents);

/** Holds without free credits, charges without a hold, and overdrafts beyond the largest hold, unless admins corrected. */
const wrongIn = (stream: string, events: ReadonlyArray<Recorded>): ReadonlyArray<string> => {
  let { initial: state } = creditAccount;
  // An admin may overdraw an account without limit.
  let [corrected, largestHold] = [zeroCredits, zeroCredits];
  return events.flatMap(({ event, revision }) => {
    if (!isAccountEvent(event)) return [];
    const wrong: string[] = [];
    if (event.type === 'CreditsHeld') {
      const free = subtract(state.balance, heldAt(state.holds, event.data.at));
      if (free <= zeroCredits)
        wrong.push(`${stream}: ${event.data.hold_id} was admitted with ${creditsText(free)} free`);
      const amount = creditsOf(event.data.amount);
      if (amount > largestHold) largestHold = amount;
    }
    if (event.type === 'CreditsCharged') {
      const { run_id } = event.data;
      if (run_id !== null && !state.holds.some(({ hold_id }) => hold_id === run_id))
        wrong.push(`${stream}: ${run_id} was charged without a hold`);
    }
    if (event.type === 'CreditsCorrected' && creditsOf(event.data.amount) < zeroCredits)
      corrected = subtract(corrected, creditsOf(event.data.amount));
    state = creditAccount.evolve(state, event, revision);
    if (add(state.balance, corrected) < negate(largestHold))
      wrong.push(`${stream}: overdrawn to ${creditsText(state.balance)}`);
    return wrong;
  });
};

export const wrongHolds = ({ streams }: WholeLog): ReadonlyArray<string> =>
  Object.entries(streams).flatMap(([stream, events]) =>
    stream.startsWith('creditAccount-') ? wrongIn(stream, events) : [],
  );

export interface Books {
  readonly account: string;
  readonly balance: bigint;
  readonly entries: ReadonlyArray<Entry>;
}

/** Entries whose `balance_after` is not the sum of the amounts so far, and a balance that is not their total. */
export const wrongSums = ({ account, balance, entries }: Books): ReadonlyArray<string> => {
  let sum = 0n;
  const wrong = entries.flatMap(({ amount, balance_after, request_id }) => {
    sum += millionths(amount);
    return sum === millionths(balance_after) ? [] : [`${account}: balance_after of ${request_id} is ${balance_after}`];
  });
  return sum === balance ? wrong : [...wrong, `${account}: the ledger comes to ${sum}, the balance is ${balance}`];
};

/** Faults of bookings. An acknowledged one must be booked once with its amount, any other at most once. */
export const wrongBookings = (booked: ReadonlyArray<Booked>, books: ReadonlyArray<Books>): ReadonlyArray<string> => {
  const found = groupBy(({ request_id }: Entry) => request_id)(books.flatMap(({ entries }) => entries));
  return booked.flatMap(({ request_id, amount, acknowledged }) => {
    const entries = found[request_id] ?? [];
    if (entries.length > 1) return [`${request_id} is booked ${entries.length} times`];
    if (entries.length === 0) return acknowledged ? [`${request_id} is lost`] : [];
    return millionths(entries[0]?.amount ?? 0) === millionths(amount) ? [] : [`${request_id} is another amount`];
  });
};

interface Answered {
  readonly run_id: string;
  readonly amount: number;
  readonly request_id: string;
  readonly account: string;
  readonly results: unknown;
  readonly committed: boolean;
}

/** The answers of each run, by its id. A run with two answers is a violation. */
export const answeredRuns = ({ events }: WholeLog): ReadonlyMap<string, ReadonlyArray<Answered>> => {
  const answers = events.flatMap(({ event, metadata }) => {
    if (event.type !== 'NameInferenceAnswered') return [];
    const { run_id, amount, account_id: account, results, mode } = event.data;
    const answer = { amount: Number(amount), request_id: metadata.correlation_id, account, results };
    return [{ run_id, ...answer, committed: mode === 'commit' }];
  });
  return new Map(Object.entries(groupBy(({ run_id }: Answered) => run_id)(answers)));
};

/** Faults of charges. Each must belong to one answered run of one request, and each answered run to one charge. */
export const wrongCharges = (
  log: WholeLog,
  operations: Operations,
  books: ReadonlyArray<Books>,
): ReadonlyArray<string> => {
  const runs = answeredRuns(log);
  const sent = new Set(operations.inferences.flatMap(({ request_ids }) => request_ids));
  const charges = books.flatMap(({ account, entries }) =>
    entries.filter(({ kind }) => kind === 'charge').map((entry) => ({ ...entry, account })),
  );
  const perRun = groupBy(({ run_id = 'none' }: Entry) => run_id)(charges);
  const perRequest = groupBy(({ request_id }: Entry) => request_id)(charges);
  return [
    ...charges.flatMap(({ run_id, request_id, amount, account }) => {
      const [run, ...others] = runs.get(run_id ?? 'none') ?? [];
      const traced =
        others.length === 0 && run?.request_id === request_id && run.account === account && sent.has(request_id);
      return traced && millionths(run.amount) === -millionths(amount) ? [] : [`charge of ${request_id}: no such run`];
    }),
    ...[...runs.keys()]
      .filter((run_id) => perRun[run_id]?.length !== 1)
      .map((run_id) => `run ${run_id}: not one charge`),
    ...Object.entries(perRequest)
      .filter(([, of]) => of.length > 1)
      .map(([request_id]) => `${request_id} is charged twice`),
  ];
};

/** Faults of answers. Each must be the stored one of a charged run; all requests with one key get the same answer for one charge. */
export const wrongAnswers = (log: WholeLog, inferences: ReadonlyArray<Inference>): ReadonlyArray<string> => {
  const runs = answeredRuns(log);
  const runsOf = groupBy(({ request_id }: Answered) => request_id)(
    [...runs.values()].flatMap((answers) => answers.slice(0, 1)),
  );
  return inferences.flatMap(({ path, key, request_ids, answers }) => {
    const what = `${path} ${key ?? 'without a key'} ${request_ids[0]}`;
    const made = request_ids.flatMap((request_id) => (runsOf[request_id] ?? []).map(({ run_id }) => run_id));
    const answeredIds = [...new Set(answers.map(({ run_id }) => run_id))];
    const [first] = answers;
    const stored = first === undefined ? undefined : runs.get(first.run_id ?? '')?.[0]?.results;
    return [
      ...(made.length > 1 ? [`${what}: ${made.length} runs are charged`] : []),
      ...(answeredIds.length > 1 || answers.some(({ text }) => text !== first?.text)
        ? [`${what}: different answers`]
        : []),
      ...(answers.slice(1).some(({ replayed }) => !replayed) ? [`${what}: a repetition is not said to be one`] : []),
      ...(first === undefined || (first.run_id === made[0] && isDeepStrictEqual(JSON.parse(first.text), stored))
        ? []
        : [`${what}: the answer is not that of its run`]),
    ];
  });
};

/** Faults of committing runs. Each must have written its names to its audio once. */
export const wrongCommits = (log: WholeLog): ReadonlyArray<string> => {
  const written = log.events.flatMap(({ event }) => (event.type === 'NamesInferred' ? [event.data.run_id] : []));
  return [...answeredRuns(log)].flatMap(([run_id, [run]]) =>
    written.filter((id) => id === run_id).length === (run?.committed === true ? 1 : 0)
      ? []
      : [`run ${run_id}: not written as it should be`],
  );
};
