import type { Fetch } from '../client/index.js';

/** The key of a session. Requests that it is refused for wait until there is another one, so that no page loses its state. */
export interface Access {
  readonly key: () => string;
  /** Sends all requests with this key from now on, also those that wait. */
  readonly use: (key: string) => void;
  /** Sends requests with the key, for the client. */
  readonly send: Fetch;
}

/** What a session learns from its requests. */
export interface Observer {
  /** The key was refused, for the first time. */
  readonly onEnd: (key: string) => void;
  /** The service does not answer, or does again. */
  readonly onAway: (isAway: boolean) => void;
}

const timeoutMs = 60_000;

/** Whether an answer is of a proxy whose service is away. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  status >= 502 && headers.get('Content-Type')?.includes('json') !== true;

/** Whether the service does not know the key any more; a missing permission has a code. */
const isKeyRefused = async (answer: Response): Promise<boolean> => {
  if (answer.status !== 401) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && typeof Reflect.get(body, 'detail') === 'string';
};

export const accessWith = (first: string, { onEnd, onAway }: Observer): Access => {
  let key = first;
  let waiting: Array<() => void> = [];
  const use = (next: string): void => {
    key = next;
    for (const resend of waiting.splice(0)) resend();
  };
  const anotherKey = (): Promise<void> =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve];
      if (waiting.length === 1) onEnd(key);
    });
  const send: Fetch = async (url, init) => {
    const used = key;
    // The time in which a request waits for another key does not count.
    const signal = AbortSignal.any([init.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(url, { ...init, signal, headers: { ...init.headers, 'X-API-Key': used } }).catch(
      (error: unknown) => {
        if (!init.signal.aborted) onAway(true);
        throw error;
      },
    );
    onAway(isOfProxy(answer));
    if (!(await isKeyRefused(answer))) return answer;
    if (key === used) await anotherKey();
    return send(url, init);
  };
  return { key: () => key, use, send };
};
