import type { MediaAnalysis, NewKey } from '../client/index.js';

/** The signed-in account and key, with a client that uses them. */
export interface Session {
  readonly client: MediaAnalysis;
  readonly account_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly admin: boolean;
  readonly permissions: NewKey['permissions'];
  /** Whether the key may import analyses. */
  readonly mayImport: boolean;
}

/** The account of a page section. `version` changes with each booking, so that the section is fetched again. */
export interface OfAccount extends Pick<Session, 'client' | 'account_id'> {
  readonly version: string;
}

const storageKey = 'media-analysis-key';
const keyLifetimeSeconds = 8 * 3_600;

/** The client is loaded when there is a key, because the sign-in form does not need it. */
const clientOf = async (apiKey: string): Promise<MediaAnalysis> => {
  const { MediaAnalysis: Client } = await import('../client/index.js');
  return new Client({ baseUrl: location.origin, apiKey });
};

const sessionOf = async (client: MediaAnalysis): Promise<Session> => {
  const { account_id, key_id, name, admin, permissions } = await client.me.get();
  const mayImport = admin || permissions.includes('WORKER');
  return { client, account_id, key_id, name: name ?? account_id, admin, permissions, mayImport };
};

/**
 * Creates a temporary key with the same rights as the given key and signs in with it. The given key is not stored; the
 * temporary key is stored for this tab only.
 */
export const signIn = async (key: string): Promise<Session> => {
  const given = await clientOf(key);
  const { admin, permissions } = await given.me.get();
  const wanted = { label: 'console', expires_in_seconds: keyLifetimeSeconds };
  const made = await given.me.createKey({ ...wanted, admin, permissions });
  sessionStorage.setItem(storageKey, made.key);
  return sessionOf(await clientOf(made.key));
};

export const isSignedIn = (): boolean => sessionStorage.getItem(storageKey) !== null;

/** The session that this tab had before it was reloaded; null if there was none. Throws if its key is no longer valid. */
export const resume = async (): Promise<Session | null> => {
  const key = sessionStorage.getItem(storageKey);
  if (key === null) return null;
  try {
    return await sessionOf(await clientOf(key));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'status') === 401) sessionStorage.removeItem(storageKey);
    throw error;
  }
};

/** Removes the key from this tab and revokes it. */
export const signOut = async ({ client, key_id }: Session): Promise<void> => {
  sessionStorage.removeItem(storageKey);
  await client.me.revokeKey(key_id);
};
