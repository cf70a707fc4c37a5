import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './ui.js';

interface Props {
  readonly signIn: (key: string) => Promise<void>;
}

/** The field for a key, and its button. */
const KeyForm = ({ signIn }: Props) => {
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    signIn(key.trim()).catch((reason: unknown) => {
      setError(reason);
      setBusy(false);
    });
  };
  return (
    <form onSubmit={submit}>
      <label for="key">API key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        required
        // Other characters cannot be sent.
        pattern="\s*[!-~]+\s*"
        title="Only letters, digits and punctuation of ASCII"
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <p class="quiet">
        Ask an administrator for a key. The service prints the first one when it starts for the first time. The console
        uses your key once, to create a temporary key for the tabs of this browser. That one expires after eight hours,
        or when you sign out.
      </p>
      <button type="submit" class="primary" disabled={isBusy || key.trim() === ''}>
        Sign in
      </button>
      <Failure error={error} />
    </form>
  );
};

/** The sign-in page. */
export const SignIn = ({ signIn }: Props) => (
  <main class="sign-in">
    <h1>Media analysis</h1>
    <p>
      See who appears and who speaks in your recordings, review which face belongs to which voice, and trace every
      change.
    </p>
    <KeyForm signIn={signIn} />
  </main>
);

/** The sign-in form over a page, which is kept: after the session has ended, or before that. */
export const SignInAgain = ({
  signIn,
  isEnded,
  onCancel,
  onSignOut,
}: Props & { readonly isEnded: boolean; readonly onCancel: () => void; readonly onSignOut: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-labelledby="again"
      onClose={() => (isEnded ? dialog.current?.showModal() : onCancel())}
    >
      <h2 id="again">{isEnded ? 'Your session has ended' : 'Sign in again'}</h2>
      <p>The page stays as it is, and you go on where you are.</p>
      <KeyForm signIn={signIn} />
      <div class="actions">
        {!isEnded && (
          <button type="button" onClick={onCancel}>
            Not now
          </button>
        )}
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </dialog>
  );
};
