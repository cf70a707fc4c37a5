import * as t from 'io-ts';
import { type Media, type MediaParts, createMedia } from '../../support/e2e/media.js';
import {
  codeOf,
  faultOfForm,
  type HttpAnswer,
  NoAnswerError,
  sendRequest,
  type KeyRights,
  newKey,
  type HttpClient,
  httpClient,
} from '../../support/http-client.js';
import { adminKey } from '../../support/service-process.js';

/** A request of an attack. */
export interface AttackRequest {
  readonly method?: string;
  /** Sent as it is. */
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes or a text as they are; anything else as JSON. */
  readonly body?: Uint8Array | string | object;
}

/** What came of it. Status 0: the connection ended without an answer, `text` says how. */
type AttackAnswer = Omit<HttpAnswer, 'body'>;

/** Sends a request to a service at a port of the loopback address. */
const sendTo =
  (port: number) =>
  async ({ key = null, headers = {}, body: given, ...rest }: AttackRequest): Promise<AttackAnswer> => {
    const all = { ...(key === null ? {} : { 'X-API-Key': key }), 'Content-Type': 'application/json', ...headers };
    const isRaw = given === undefined || typeof given === 'string' || given instanceof Uint8Array;
    const body = isRaw ? given : JSON.stringify(given);
    try {
      return await sendRequest(`http://127.0.0.1:${port}`, {
        ...rest,
        headers: all,
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return { status: 0, headers: new Headers(), text: error.message };
    }
  };

/** As in `401 not_authorised ×64, 503 overloaded ×3`. */
const summaryOf = (answers: ReadonlyArray<AttackAnswer>): string => {
  const counts = new Map<string, number>();
  for (const { status, text } of answers) {
    const what =
      status === 0 ? `no answer (${text})` : [status, codeOf(text)].filter((part) => part !== null).join(' ');
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, times]) => (times === 1 ? what : `${what} ×${times}`)).join(', ');
};

/** What is wrong with an answer to a request that may be refused, or put off by 503; null when nothing is. */
const faultOf = ({ status, headers, text }: AttackAnswer): string | null => {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 200)}`;
  const fault = faultOfForm({ status, text, headers: Object.fromEntries(headers) });
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};

/** The service under attack, as passed to the attack process. */
export const Target = t.type({
  port: t.number,
  /** nginx, configured as in the example, over TLS; null if it is not installed, or the attack goes to the service directly. */
  proxyPort: t.union([t.number, t.null]),
  quick: t.boolean,
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
    size: (large, small) => (target.quick ? small : large),
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

/** An owner's media and the keys of the owner and of a worker. */
export interface OwnedMedia extends Media {
  readonly owner: string;
  readonly worker: string;
}

const three = [1, 2, 3];
const usual = {
  faces: three.map((id) => ({ id })),
  speakers: three.map((speaker_id) => ({ speaker_id, name: `Ada No ${speaker_id}` })),
  segments: three.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
};

/** Registers a video with an audio, both analysed: three faces and three speakers unless something else is said. */
export const ownedMedia = async (scene: Scene, name: string, parts: MediaParts = {}): Promise<OwnedMedia> => {
  const [owner, worker] = [await scene.key('owner'), await scene.key('worker', ['WORKER'])];
  const callers = { owner: scene.client(owner), worker: scene.client(worker) };
  const media = await createMedia(callers, { ids: [`${name}-video`, `${name}-audio`], ...usual, ...parts });
  return { ...media, owner, worker };
};
