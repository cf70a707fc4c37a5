import type { MediaAnalysis, NewKey } from '../client/index.js';

/** Who is signed in, with the client that works for them. */
export interface Session {
  readonly client: MediaAnalysis;
  readonly account_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly admin: boolean;
  readonly permissions: NewKey['permissions'];
  /** Whether analyses may be sent, as an import does. */
  readonly mayImport: boolean;
}

/** What one account booked; asked for anew where `version` changes, as each booking has it do. */
export interface OfAccount extends Pick<Session, 'client' | 'account_id'> {
  readonly version: string;
}

const place = 'media-analysis-key';
const lifetime_seconds = 8 * 3_600;

/** The client is loaded once there is a key: the page that asks for one does without. */
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
 * Makes a short-lived key with the rights of the one that was given, and works with that. The given one is forgotten;
 * the new one is kept in this tab alone.
 */
export const signIn = async (key: string): Promise<Session> => {
  const given = await clientOf(key);
  const { admin, permissions } = await given.me.get();
  const wanted = { label: 'console', expires_in_seconds: lifetime_seconds };
  const made = await given.me.createKey({ ...wanted, admin, permissions });
  sessionStorage.setItem(place, made.key);
  return sessionOf(await clientOf(made.key));
};

export const isSignedIn = (): boolean => sessionStorage.getItem(place) !== null;

/** The session of this tab from before it was loaded anew; null where there is none, or its key holds no more. */
export const resume = async (): Promise<Session | null> => {
  const key = sessionStorage.getItem(place);
  if (key === null) return null;
  try {
    return await sessionOf(await clientOf(key));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'status') === 401) sessionStorage.removeItem(place);
    throw error;
  }
};

/** Forgets the key, and has the service revoke it. */
export const signOut = async ({ client, key_id }: Session): Promise<void> => {
  sessionStorage.removeItem(place);
  await client.me.revokeKey(key_id);
};
