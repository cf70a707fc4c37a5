import { randomUUID } from 'node:crypto';
import { type HttpAnswer, type HttpClient, httpClient } from '../http-client.js';

/** Credits that an admin booked on an account, in one request. */
export interface Booked {
  readonly account: string;
  readonly request_id: string;
  readonly amount: number;
  readonly acknowledged: boolean;
}

/** An inference: one request without a key, or all requests with one key. */
export interface Inference {
  readonly account: string;
  readonly path: string;
  readonly body: object;
  readonly key: string | null;
  readonly request_ids: string[];
  /** All answers with status 200. */
  readonly answers: Array<{ readonly run_id: string | null; readonly text: string; readonly replayed: boolean }>;
}

/** The operations of all clients and their answers, across all kills. */
export interface Operations {
  readonly booked: Booked[];
  readonly inferences: Inference[];
  /** Inferences with a key whose answer was lost in a kill. */
  readonly unanswered: Inference[];
  /** Unexpected answers. */
  readonly faults: string[];
  done: number;
}

export const noOperations = (): Operations => ({ booked: [], inferences: [], unanswered: [], faults: [], done: 0 });

export interface Payer {
  readonly account: string;
  readonly key: string;
}

const random = (below: number): number => Math.floor(Math.random() * below);
const oneOf = <Item>(items: ReadonlyArray<Item>): Item => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

const note = (operations: Operations, what: string, { status, text }: HttpAnswer): void => {
  operations.done += 1;
  if (status >= 500 || (status >= 400 && status !== 402)) operations.faults.push(`${what} answered ${status}: ${text}`);
};

/** Sends an inference request, for the first time or again. */
export const sendInference = async (
  client: HttpClient,
  operations: Operations,
  inference: Inference,
): Promise<void> => {
  const { path, body, key, request_ids, answers } = inference;
  const request_id = `lk-${randomUUID()}`;
  request_ids.push(request_id);
  const headers = { 'X-Request-Id': request_id, ...(key === null ? {} : { 'Idempotency-Key': key }) };
  try {
    const answer = await client.post(path, body, headers);
    note(operations, path, answer);
    if (answer.status !== 200) return;
    const replayed = answer.headers.get('Idempotency-Replayed') === 'true';
    answers.push({ run_id: answer.headers.get('X-Run-Id'), text: answer.text, replayed });
  } catch (error) {
    operations.done += 1;
    if (key !== null) operations.unanswered.push(inference);
    throw error;
  }
};

const infer = (client: HttpClient, operations: Operations, { account }: Payer): Promise<void> => {
  const inference: Inference = {
    account,
    path: `/v2/audios/${account}-call/speaker-name-inference${random(2) === 0 ? '' : '/suggestions'}`,
    body: { target_speaker_ids: oneOf([[1], [2], [1, 2]]), infer_roles: random(2) === 0 },
    key: random(2) === 0 ? null : randomUUID(),
    request_ids: [],
    answers: [],
  };
  operations.inferences.push(inference);
  return sendInference(client, operations, inference);
};

const anyAmount = (): number => {
  const size = (1 + random(5_000_000)) / 1_000_000;
  return random(4) === 0 ? -size : size;
};

/** Books credits on an account, as an admin. Rejects if the service has ended. */
const book = async (admin: HttpClient, operations: Operations, { account }: Payer, amount: number): Promise<void> => {
  const request_id = `lk-${randomUUID()}`;
  const path = `/v1/accounts/${account}/credits`;
  let acknowledged = false;
  try {
    const answer = await admin.post(path, { amount, reason: 'ledger-kill' }, { 'X-Request-Id': request_id });
    note(operations, path, answer);
    acknowledged = answer.status === 200;
  } finally {
    operations.booked.push({ account, request_id, amount, acknowledged });
  }
};

const setWindow = async (admin: HttpClient, operations: Operations, { account }: Payer): Promise<void> => {
  const path = `/v1/accounts/${account}/spending-window`;
  const window = random(2) === 0 ? { limit: null } : { limit: 1 + random(100_000), period_seconds: 1 + random(60) };
  note(operations, path, await admin.put(path, window));
};

/** Repeats a request with a key that has been answered: it must get the same answer. */
const repeat = (client: HttpClient, operations: Operations, { account }: Payer): Promise<void> => {
  const known = operations.inferences.filter(
    (one) => one.key !== null && one.account === account && one.answers.length > 0,
  );
  return known.length === 0
    ? infer(client, operations, { account, key: '' })
    : sendInference(client, operations, oneOf(known));
};

/**
 * Performs one random operation, or repeats an unanswered inference, which waits until its run is given up. Rejects if the
 * service has ended.
 */
export const performOne = async (
  url: string,
  admin: HttpClient,
  operations: Operations,
  payers: ReadonlyArray<Payer>,
  repeatsFirst: boolean,
): Promise<void> => {
  const cutOff = repeatsFirst ? operations.unanswered.shift() : undefined;
  const payer = payers.find(({ account }) => account === cutOff?.account) ?? oneOf(payers);
  const client = httpClient(url, payer.key);
  if (cutOff !== undefined) return sendInference(client, operations, cutOff);
  const dice = random(20);
  if (dice < 8) return book(admin, operations, payer, anyAmount());
  if (dice < 10) return setWindow(admin, operations, payer);
  return dice < 13 ? repeat(client, operations, payer) : infer(client, operations, payer);
};
