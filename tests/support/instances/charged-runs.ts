import { wrongSums } from '../ledger-kill/check.js';
import { shownBooks } from '../ledger-kill/ledger.js';
import { randomUUID } from 'node:crypto';
import { expectOk } from '../e2e/media.js';
import { createCall } from '../e2e/naming.js';
import { type HttpAnswer, type HttpClient } from '../http-client.js';

const account = '/v1/accounts/admin';
/** Creates an audio for name inference, and an account with enough credits. */
export const prepareInference = async (client: HttpClient): Promise<void> => {
  await expectOk(client.post(`${account}/credits`, { amount: 10_000, reason: 'for a test' }));
  await createCall(client, 'call', [1, 'Hello, my name is Ada Lovelace.'], [2, 'Hi Ada.']);
};

export interface ChargedRuns {
  /** Runs whose results a client has received. */
  readonly runs: Set<string>;
  readonly faults: string[];
}

const infer = (client: HttpClient, key: string): Promise<HttpAnswer | null> =>
  client
    .post('/v2/audios/call/speaker-name-inference/suggestions', { target_speaker_ids: [1] }, { 'Idempotency-Key': key })
    .catch(() => null);

/** Sends one request with an idempotency key to two instances at once: both must answer with the same run. */
export const inferTwice = async ({ runs, faults }: ChargedRuns, one: HttpClient, other: HttpClient): Promise<void> => {
  const key = randomUUID();
  const answers = await Promise.all([infer(one, key), infer(other, key)]);
  const succeeded = answers.flatMap((answer) => (answer?.status === 200 ? [answer] : []));
  const wrong = answers.find((answer) => answer !== null && answer.status !== 200 && answer.status !== 503);
  if (wrong !== undefined) faults.push(`an inference was answered ${wrong?.status}: ${wrong?.text}`);
  const ids = new Set(succeeded.map(({ headers }) => headers.get('X-Run-Id') ?? ''));
  if (ids.size > 1) faults.push(`the key ${key} stands for the runs ${[...ids].join()}`);
  if (
    succeeded.length === 2 &&
    succeeded.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true').length !== 1
  )
    faults.push(`of two answers to the key ${key} not one is a repetition`);
  ids.forEach((id) => runs.add(id));
};

/** Differences between the ledger and the answers: a run charged twice or never, or a balance that does not add up. */
export const wrongCharges = async (
  { runs, faults }: ChargedRuns,
  client: HttpClient,
): Promise<ReadonlyArray<string>> => {
  const { balance, entries } = await shownBooks(client, 'admin');
  const charged = entries.flatMap(({ run_id }) => run_id ?? []);
  return [
    ...faults,
    ...(new Set(charged).size === charged.length ? [] : ['a run is charged twice']),
    ...[...runs].filter((run) => !charged.includes(run)).map((run) => `the run ${run} is not charged`),
    ...wrongSums({ account: 'admin', balance, entries }),
  ];
};
