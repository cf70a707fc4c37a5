import { fieldOf } from './json.js';

/* The tabs of a browser hand each other the key of the session, so that one is enough for all of them. */

const channel = new BroadcastChannel('media-analysis');
const waitMs = 150;

/** What a tab does with messages of the others. */
export interface Listener {
  /** The key of this tab, if it has one that works. */
  readonly key: () => string | null;
  /** There is a key: the user signed in in another tab. */
  readonly onKey: (key: string) => void;
  /** The user signed out, and the key was revoked. */
  readonly onSignOut: (key: string) => void;
}

/** Starts to listen to the other tabs; the returned function ends that. */
export const listenToTabs = ({ key, onKey, onSignOut }: Listener): (() => void) => {
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const [given, revoked, own] = [fieldOf(data, 'key'), fieldOf(data, 'revoked'), key()];
    if (fieldOf(data, 'wanted') === true && own !== null) tellTabs({ key: own });
    if (typeof given === 'string') onKey(given);
    if (typeof revoked === 'string') onSignOut(revoked);
  };
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
};

const post = (message: unknown): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is within one origin
  channel.postMessage(message);

export const tellTabs = (message: { readonly key: string } | { readonly revoked: string }): void => post(message);

/** The key of another tab; null if none has one. */
export const keyOfOtherTab = (): Promise<string | null> =>
  new Promise((resolve) => {
    const done = (key: string | null): void => {
      clearTimeout(timer);
      channel.removeEventListener('message', onMessage);
      resolve(key);
    };
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      const given = fieldOf(data, 'key');
      if (typeof given === 'string') done(given);
    };
    const timer = setTimeout(() => done(null), waitMs);
    channel.addEventListener('message', onMessage);
    post({ wanted: true });
  });
