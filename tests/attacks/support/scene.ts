import * as t from 'io-ts';
import { type KeyRights, newKey, type HttpClient, httpClient } from '../../support/http-client.js';
import { adminKey } from '../../support/service-process.js';
import { type AttackAnswer, type AttackRequest, faultOf, sendTo, summaryOf } from './send.js';

/** The service under attack, as passed to the attack process. */
export const Target = t.type({
  port: t.number,
  /** nginx, configured as in the example, over TLS; null if it is not installed, or the attack goes to the service directly. */
  proxyPort: t.union([t.number, t.null]),
  quick: t.boolean,
  /** Factor for the sizes of the short form, for a form that is shorter still. */
  part: t.number,
});
export type Target = t.TypeOf<typeof Target>;

/** What an attack gets: the service, clients and a place for its findings. */
export interface Scene extends Target {
  readonly url: string;
  /** `large`, or `small` in the short form. */
  readonly size: (large: number, small: number) => number;
  readonly send: (request: AttackRequest) => Promise<AttackAnswer>;
  /** Sends all requests and checks each answer. Notes a summary under the name. */
  readonly sendAll: (
    name: string,
    all: ReadonlyArray<AttackRequest>,
    atOnce?: number,
  ) => Promise<ReadonlyArray<AttackAnswer>>;
  /** Sends `count` different requests, 32 at the same time, all of which must have this status. */
  readonly flood: (
    name: string,
    count: number,
    status: number,
    requestAt: (at: number) => AttackRequest,
  ) => Promise<void>;
  /** A new API key of an account, which is created if necessary. */
  readonly key: (account_id: string, permissions?: KeyRights['permissions']) => Promise<string>;
  readonly admin: HttpClient;
  readonly client: (key: string | null) => HttpClient;
  readonly note: (text: string) => void;
  readonly fault: (text: string) => void;
}

export interface Attack {
  readonly name: string;
  /** What the attacker does. */
  readonly about: string;
  /** Environment variables of the service under attack. */
  readonly env?: Readonly<Record<string, string>>;
  /** A stranger's attack, which nginx is to keep away: it goes through nginx, and is left out where there is none. */
  readonly throughProxy?: boolean;
  readonly run: (scene: Scene) => Promise<void>;
}

export interface Outcome {
  readonly notes: ReadonlyArray<string>;
  readonly faults: ReadonlyArray<string>;
}

const maxFaults = 10;

export const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

export const times = <Item>(count: number, item: Item): ReadonlyArray<Item> =>
  Array.from({ length: count }, () => item);

/** Runs the work for each item, at most `atOnce` at the same time. */
export const forEach = async <Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

/** Creates the scene of an attack. `outcome` returns its findings so far. */
export const sceneAt = (target: Target): { readonly scene: Scene; readonly outcome: () => Outcome } => {
  const url = `http://127.0.0.1:${target.port}`;
  const [notes, faults]: [string[], string[]] = [[], []];
  const send = sendTo(target.port);
  const admin = httpClient(url, adminKey);
  const fault = (text: string): void => {
    if (faults.length < maxFaults && !faults.includes(text)) faults.push(text);
  };
  const note = (text: string): void => void notes.push(text);
  const sendAll: Scene['sendAll'] = async (name, all, atOnce = all.length) => {
    const answers: AttackAnswer[] = [];
    await forEach(all, atOnce, async (request) => void answers.push(await send(request)));
    note(`${name}: ${summaryOf(answers)}`);
    for (const answer of answers) {
      const wrong = faultOf(answer);
      if (wrong !== null) fault(`${name}: ${wrong}`);
    }
    return answers;
  };
  const scene: Scene = {
    ...target,
    url,
    size: (large, small) => (target.quick ? Math.max(1, Math.round(small * target.part)) : large),
    send,
    sendAll,
    flood: async (name, count, status, requestAt) => {
      for (const answer of await sendAll(name, numbers(count).map(requestAt), 32))
        if (answer.status !== status) fault(`${name}: ${answer.status} ${answer.text.slice(0, 100)}`);
    },
    key: (account_id, permissions = []) => newKey(admin, account_id, { permissions }),
    admin,
    client: (key) => httpClient(url, key),
    note,
    fault,
  };
  return { scene, outcome: () => ({ notes, faults }) };
};
