import { useState } from 'preact/hooks';
import { type Session, signIn } from './session.js';
import { Failure } from './ui.js';

/** Takes a key, once. */
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
      <p>Who is to be seen and who is to be heard in recordings: look at it, review it, account for it.</p>
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
          An administrator gives you one; the service prints the first when it starts. It is used once, to make a key
          for this tab that lasts for eight hours and is revoked when you sign out.
        </p>
        <button type="submit" class="primary" disabled={isBusy || key.trim() === ''}>
          Sign in
        </button>
        <Failure error={error} />
      </form>
    </main>
  );
};
