import type { MediaAnalysis, Me, NewKey } from '../client/index.js';
import { type Access, type Observer, accessWith } from './access.js';
import { factOf } from './json.js';
import { keyOfOtherTab, tellTabs } from './tabs.js';

/** The signed-in account and key, with a client that uses them. */
export interface Session {
  readonly client: MediaAnalysis;
  readonly access: Access;
  readonly account_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly admin: boolean;
  readonly permissions: NewKey['permissions'];
  /** When the key ends; null: never. */
  readonly expires_at: string | null;
  /** Whether the key is the one that the user entered, because the account cannot have another one. */
  readonly isGiven: boolean;
  /** Whether the key may import analyses. */
  readonly mayImport: boolean;
}

/** The account of a page section. `version` changes with each booking, so that the section is fetched again. */
export interface OfAccount extends Pick<Session, 'client' | 'account_id'> {
  readonly version: string;
}

const storageKey = 'media-analysis-key';
const browserKey = 'media-analysis-browser';
/** Where the answers of the review are kept. */
export const answersKey = 'media-analysis-answers';
const keyLifetimeSeconds = 8 * 3_600;
const maxLabel = 200;

/** The client is loaded when there is a key, because the sign-in form does not need it. */
const clientOf = async (apiKey: string, access?: Access): Promise<MediaAnalysis> => {
  const { MediaAnalysis: Client } = await import('../client/index.js');
  // `access` has a timeout of its own, and waits longer than that for the user to sign in again.
  const waiting = access === undefined ? {} : { fetch: access.send, timeoutMs: 2 ** 31 - 1 };
  return new Client({ baseUrl: location.origin, apiKey, ...waiting });
};

/** The label of this browser's key: the next sign-in in the same browser replaces it. */
const labelOf = (label: string | null): string => {
  const browser = localStorage.getItem(browserKey) ?? crypto.getRandomValues(new Uint32Array(1)).join('');
  localStorage.setItem(browserKey, browser);
  return `${label === null ? '' : `${label}, `}console ${browser}`.slice(-maxLabel);
};

const factsOf = ({ account_id, key_id, name, admin, permissions, expires_at }: Me, isGiven: boolean) => {
  const mayImport = admin || permissions.includes('WORKER');
  return { account_id, key_id, name: name ?? account_id, admin, permissions, expires_at, isGiven, mayImport };
};

/**
 * The session of a key. If it is of the same account as the session before, the pages go on with that one's client, and
 * requests that wait are sent.
 */
export const enter = async (
  key: string,
  before: Session | null,
  observer: Observer,
  isGiven = false,
): Promise<Session> => {
  const facts = factsOf(await (await clientOf(key)).me.get(), isGiven);
  if (isGiven) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, key);
  if (before !== null && before.account_id === facts.account_id) {
    before.access.use(key);
    return { ...before, ...facts };
  }
  const access = accessWith(key, observer);
  return { ...facts, access, client: await clientOf(key, access) };
};

/**
 * Creates a temporary key with the same rights as the given key and signs in with it. The given key is not stored; the
 * temporary key is stored for the tabs of this browser only, and replaces the one of an earlier sign-in. If the account
 * has so many temporary keys that there can be no other, this tab works with the given key until it is loaded again.
 */
export const signIn = async (given: string, before: Session | null, observer: Observer): Promise<Session> => {
  const client = await clientOf(given);
  const { admin, permissions, label } = await client.me.get();
  const wanted = { label: labelOf(label), replace: true, expires_in_seconds: keyLifetimeSeconds };
  try {
    const made = await client.me.createKey({ ...wanted, admin, permissions });
    const session = await enter(made.key, before, observer);
    tellTabs({ key: made.key });
    return session;
  } catch (error) {
    if (factOf(error, 'code') === 'too_many_keys') return enter(given, before, observer, true);
    throw error;
  }
};

export const isSignedIn = (): boolean => sessionStorage.getItem(storageKey) !== null;

/**
 * The session that this tab had before it was loaded again, or that another tab has; null if there is none. Throws if the
 * key of this tab is no longer valid.
 */
export const resume = async (observer: Observer): Promise<Session | null> => {
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
export const forget = (): void => sessionStorage.removeItem(storageKey);

/** Whether the tab may sign out: the user is asked if answers would be lost. */
export const mayLeave = (): boolean =>
  sessionStorage.getItem(answersKey)?.includes('"stored":null') !== true ||
  confirm('Some answers of the review are not stored yet, and would be lost. Sign out?');

/** Revokes the key of all tabs, and removes it from them; returns what happened, in words. */
export const signOut = async ({ access, key_id, isGiven }: Session): Promise<string> => {
  forget();
  sessionStorage.removeItem(answersKey);
  if (isGiven) return 'You are signed out. Your key was not stored.';
  tellTabs({ revoked: key_id });
  try {
    await (await clientOf(access.key())).me.revokeKey(key_id);
  } catch (error) {
    // A key that has ended needs no revocation.
    if (factOf(error, 'status') !== 401) throw error;
  }
  return 'You are signed out. The key of this browser was revoked.';
};
