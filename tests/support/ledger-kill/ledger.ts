import * as t from 'io-ts';
import { type HttpClient, bodyOf } from '../http-client.js';

const Entry = t.intersection([
  t.type({ kind: t.string, amount: t.number, balance_after: t.number, request_id: t.string }),
  t.partial({ run_id: t.string }),
]);
export type Entry = t.TypeOf<typeof Entry>;
const Page = t.type({ entries: t.array(Entry), next_cursor: t.union([t.string, t.null]) });
const Credits = t.type({ balance: t.number });

/** Whole millionths, because sums of floating-point numbers are inexact. */
export const millionths = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000));

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
