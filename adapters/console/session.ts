import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Fetch, type Me, MediaAnalysis } from '../client/index.js';
import { messageOf } from './format.js';
import { factOf, fieldOf } from './json.js';
import { isAway } from './words.js';

/** What a session learns from its requests. */
interface Observer {
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
  return typeof fieldOf(body, 'detail') === 'string';
};

/**
 * Sends requests with the key of a session. Those refused because of the key wait until there is another one, so that no
 * page loses its state.
 */
const accessWith = (first: string, { onEnd, onAway }: Observer) => {
  let key = first;
  const waiting: Array<() => void> = [];
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
    if (key === used)
      await new Promise<void>((resend) => {
        waiting.push(resend);
        if (waiting.length === 1) onEnd(key);
      });
    return send(url, init);
  };
  return {
    key: () => key,
    /** Sends all requests with this key from now on, also those that wait. */
    use: (next: string): void => {
      key = next;
      for (const resend of waiting.splice(0)) resend();
    },
    send,
  };
};

/* The tabs of a browser hand each other the key of the session, so that one is enough for all of them. */

const channel = new BroadcastChannel('media-analysis');
const waitMs = 150;

/** What a tab tells the others: that it wants a key, the key of the session, or the id of the one that it revoked. */
const tellTabs = (message: { readonly wanted: true } | { readonly key: string } | { readonly revoked: string }): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is within one origin
  channel.postMessage(message);

const onMessage = (signal: AbortSignal, handle: (message: unknown) => void): void =>
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => handle(data), { signal });

/** The key of another tab of this browser; null if there is none. */
const keyOfOtherTab = (): Promise<string | null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), waitMs);
    onMessage(AbortSignal.timeout(waitMs), (message) => {
      const key = fieldOf(message, 'key');
      if (typeof key === 'string') resolve(key);
    });
    tellTabs({ wanted: true });
  });

const retryMs = 1_500;

/** The session of this tab, which goes on with another key when the user signs in again, here or in another tab. */
export const useSession = () => {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  const [isEnded, setEnded] = useState(false);
  const [away, setAway] = useState(false);
  const [message, setMessage] = useState('');
  const now = useRef({ session, isEnded });
  now.current = { session, isEnded };
  const current = (): Session | null => now.current.session ?? null;
  const take = (next: Session | null): void => {
    setSession(next);
    setEnded(false);
    setMessage('');
  };
  const goOnWith = (key: string): Promise<void> => enter(key, current(), observer).then(take);
  const onEnd = async (key: string): Promise<void> => {
    const other = await keyOfOtherTab();
    // Meanwhile the user may have signed in again, or out.
    if (current()?.access.key() !== key) return;
    if (other === null || other === key) setEnded(true);
    else await goOnWith(other);
  };
  const observer: Observer = {
    onEnd: (key) => void onEnd(key).catch(() => setEnded(true)),
    onAway: setAway,
  };
  const leave = (why: string): void => {
    take(null);
    setMessage(why);
  };
  useEffect(() => {
    const start = (): void =>
      void resume(observer).then(take, (error: unknown) => {
        if (current() !== null) return;
        leave(messageOf(error));
        if (isAway(error) && isSignedIn()) setTimeout(start, retryMs);
      });
    start();
    const stop = new AbortController();
    onMessage(stop.signal, (told) => {
      const own = current();
      const working = now.current.isEnded ? null : own;
      const [key, revoked] = [fieldOf(told, 'key'), fieldOf(told, 'revoked')];
      if (fieldOf(told, 'wanted') === true && working !== null) tellTabs({ key: working.access.key() });
      if (typeof key === 'string' && working === null) goOnWith(key).catch(() => undefined);
      if (own === null || own.key_id !== revoked) return;
      forget();
      leave('You signed out in another tab.');
    });
    return () => stop.abort();
  }, []);
  return {
    /** Undefined until it is known; null if nobody is signed in. */
    session,
    /** Whether its key has ended, so that its requests wait. */
    isEnded,
    /** Whether the service does not answer at present. */
    isAway: away,
    /** What to tell the user above the sign-in form. */
    message,
    signIn: async (key: string): Promise<void> => take(await signIn(key, current(), observer)),
    signOut: (): void => {
      const own = current();
      if (own === null || !mayLeave()) return;
      leave('Signing out …');
      signOut(own).then(setMessage, (error: unknown) =>
        setMessage(`You are signed out in this browser, but its key could not be revoked: ${messageOf(error)}`),
      );
    },
  };
};

export type SessionState = ReturnType<typeof useSession>;

/** The signed-in account and key, with a client that uses them. */
export interface Session extends Me {
  readonly client: MediaAnalysis;
  readonly access: ReturnType<typeof accessWith>;
  readonly name: string;
  /** Whether the key may import analyses. */
  readonly mayImport: boolean;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session of the page. */
export const useSignedIn = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
};

export const useClient = (): MediaAnalysis => useSignedIn().client;

const storageKey = 'media-analysis-key';
const browserKey = 'media-analysis-browser';
/** Where the answers of the review are kept. */
export const answersKey = 'media-analysis-answers';
const keyLifetimeSeconds = 8 * 3_600;
const maxLabel = 200;

const clientOf = (apiKey: string, access?: Session['access']): MediaAnalysis => {
  // `access` has a timeout of its own, and waits longer than that for the user to sign in again.
  const waiting = access === undefined ? {} : { fetch: access.send, timeoutMs: 2 ** 31 - 1 };
  return new MediaAnalysis({ baseUrl: location.origin, apiKey, ...waiting });
};

/** The label of this browser's key: the next sign-in in the same browser replaces it. */
const labelOf = (label: string | null): string => {
  const browser = localStorage.getItem(browserKey) ?? crypto.getRandomValues(new Uint32Array(1)).join('');
  localStorage.setItem(browserKey, browser);
  return `${label === null ? '' : `${label}, `}console ${browser}`.slice(-maxLabel);
};

/**
 * The session of a key. If it is of the same account as the session before, the pages go on with that one's client, and
 * requests that wait are sent.
 */
const enter = async (key: string, before: Session | null, observer: Observer): Promise<Session> => {
  const me = await clientOf(key).me.get();
  const mayImport = me.admin || me.permissions.includes('WORKER');
  const facts = { ...me, name: me.name ?? me.account_id, mayImport };
  sessionStorage.setItem(storageKey, key);
  if (before !== null && before.account_id === facts.account_id) {
    before.access.use(key);
    return { ...before, ...facts };
  }
  const access = accessWith(key, observer);
  return { ...facts, access, client: clientOf(key, access) };
};

/**
 * Creates a temporary key with the same rights as the given key and signs in with it. The given key is not stored; the
 * temporary key is stored for the tabs of this browser only, and replaces the one of an earlier sign-in.
 */
const signIn = async (given: string, before: Session | null, observer: Observer): Promise<Session> => {
  const client = clientOf(given);
  const { admin, permissions, label } = await client.me.get();
  const wanted = { label: labelOf(label), replace: true, expires_in_seconds: keyLifetimeSeconds };
  const { key } = await client.me.createKey({ ...wanted, admin, permissions });
  const session = await enter(key, before, observer);
  tellTabs({ key });
  return session;
};

const isSignedIn = (): boolean => sessionStorage.getItem(storageKey) !== null;

/**
 * The session that this tab had before it was loaded again, or that another tab has; null if there is none. Throws if the
 * key of this tab is no longer valid.
 */
const resume = async (observer: Observer): Promise<Session | null> => {
  const stored = sessionStorage.getItem(storageKey);
  const others = async (): Promise<Session | null> => {
    const key = await keyOfOtherTab();
    return key === null || key === stored ? null : enter(key, null, observer);
  };
  if (stored === null) return others();
  try {
    return await enter(stored, null, observer);
  } catch (error) {
    if (factOf(error, 'status') !== 401) throw error;
    sessionStorage.removeItem(storageKey);
    const session = await others();
    if (session === null) throw new Error('Your session has ended. Sign in again.', { cause: error });
    return session;
  }
};

/** Forgets the key in this tab. */
const forget = (): void => sessionStorage.removeItem(storageKey);

/** Whether the tab may sign out: the user is asked if answers would be lost. */
const mayLeave = (): boolean =>
  sessionStorage.getItem(answersKey)?.includes('"stored":null') !== true ||
  confirm('Some answers of the review are not stored yet, and would be lost. Sign out?');

/** Revokes the key of all tabs, and removes it from them; returns what happened, in words. */
const signOut = async ({ access, key_id }: Session): Promise<string> => {
  forget();
  sessionStorage.removeItem(answersKey);
  tellTabs({ revoked: key_id });
  try {
    await clientOf(access.key()).me.revokeKey(key_id);
  } catch (error) {
    // A key that has ended needs no revocation.
    if (factOf(error, 'status') !== 401) throw error;
  }
  return 'You are signed out. The key of this browser was revoked.';
};
