import { useEffect, useRef, useState } from 'preact/hooks';
import type { Observer } from './access.js';
import { messageOf } from './format.js';
import { type Session, enter, forget, isSignedIn, mayLeave, resume, signIn, signOut } from './session.js';
import { keyOfOtherTab, listenToTabs } from './tabs.js';
import { isAway } from './words.js';

/** The session of this tab, which goes on with another key when the user signs in again, here or in another tab. */
export interface SessionState {
  /** Undefined until it is known; null if nobody is signed in. */
  readonly session: Session | null | undefined;
  /** Whether its key has ended, so that its requests wait. */
  readonly isEnded: boolean;
  /** Whether the service does not answer at present. */
  readonly isAway: boolean;
  /** What to tell the user above the sign-in form. */
  readonly message: string;
  readonly signIn: (key: string) => Promise<void>;
  readonly signOut: () => void;
}

const retryMs = 1_500;

export const useSession = (): SessionState => {
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
  const onEnd = async (key: string): Promise<void> => {
    const other = await keyOfOtherTab();
    // Meanwhile the user may have signed in again, or out.
    if (current()?.access.key() !== key) return;
    const isResumed =
      other !== null &&
      other !== key &&
      (await enter(other, current(), observer)
        .then(take)
        .then(() => true));
    if (!isResumed) setEnded(true);
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
    return listenToTabs({
      key: () => {
        const own = current();
        return own === null || own.isGiven || now.current.isEnded ? null : own.access.key();
      },
      onKey: (key) => {
        if (current() === null || now.current.isEnded) enter(key, current(), observer).then(take, () => undefined);
      },
      onSignOut: (key_id) => {
        if (current()?.key_id !== key_id) return;
        forget();
        leave('You signed out in another tab.');
      },
    });
  }, []);
  return {
    session,
    isEnded,
    isAway: away,
    message,
    signIn: async (key) => take(await signIn(key, current(), observer)),
    signOut: () => {
      const own = current();
      if (own === null || !mayLeave()) return;
      leave('Signing out …');
      signOut(own).then(setMessage, (error: unknown) =>
        setMessage(`You are signed out in this browser, but its key could not be revoked: ${messageOf(error)}`),
      );
    },
  };
};
