import { useState } from 'preact/hooks';
import { type Session, signIn } from './session.js';
import { Failure } from './ui.js';

/** The sign-in form. */
export const SignIn = ({ onSession }: { readonly onSession: (session: Session) => void }) => {
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    signIn(key.trim()).then(onSession, (reason: unknown) => {
      setError(reason);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <h1>Media analysis</h1>
      <p>
        See who appears and who speaks in your recordings, review which face belongs to which voice, and trace every
        change.
      </p>
      <form onSubmit={submit}>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <p class="quiet">
          Ask an administrator for a key. The service prints the first one when it starts for the first time. The
          console uses your key once, to create a temporary key for this tab. That one expires after eight hours, or
          when you sign out.
        </p>
        <button type="submit" class="primary" disabled={isBusy || key.trim() === ''}>
          Sign in
        </button>
        <Failure error={error} />
      </form>
    </main>
  );
};
