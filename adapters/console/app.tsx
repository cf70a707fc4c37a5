import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Account } from './account.js';
import { Audit } from './audit/page.js';
import { Form } from './fields.js';
import { clock } from './format.js';
import { useAddress, useEvery } from './hooks.js';
import { Realtime } from './realtime.js';
import { Review } from './review/page.js';
import { type Session, SessionProvider, type SessionState, useSession, useSignedIn } from './session.js';
import { Button, Failure, Notice, useRun } from './ui.js';
import { AudioPage, VideoPage } from './video/page.js';
import { Videos } from './videos.js';

/** The pages by their paths, without ids. `id`: which recording a page is about. */
const pages: ReadonlyMap<string, (props: { readonly id: string }) => VNode> = new Map([
  ['videos', Videos],
  ['videos/', VideoPage],
  ['audios/', AudioPage],
  ['review', Review],
  ['account', Account],
  ['realtime', Realtime],
  ['audit', Audit],
]);

/** The name of the page of an address. */
const pageOf = ([first = '', id = '']: ReadonlyArray<string>): string => (id === '' ? first || 'videos' : `${first}/`);

interface SignInProps {
  readonly signIn: (key: string) => Promise<void>;
}

/** The field for a key, and its button. */
const KeyForm = ({ signIn }: SignInProps) => {
  const [key, setKey] = useState('');
  const { error, isBusy, run } = useRun();
  return (
    <Form onSubmit={() => run(() => signIn(key.trim()))}>
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
    </Form>
  );
};

/** The sign-in page. */
const SignIn = ({ signIn }: SignInProps) => (
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
const SignInAgain = ({
  signIn,
  isEnded,
  onCancel,
  onSignOut,
}: SignInProps & { readonly isEnded: boolean; readonly onCancel: () => void; readonly onSignOut: () => void }) => {
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
        {!isEnded && <Button text="Not now" onPress={onCancel} />}
        <Button text="Sign out" onPress={onSignOut} />
      </div>
    </dialog>
  );
};

const product = 'Media analysis';

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The path of the page; what follows `?` is the page's own. */
const pathOf = (): ReadonlyArray<string> =>
  location.hash
    .replace(/^#\/?|\?.*/g, '')
    .split('/')
    .map(decoded);

const links = ['Videos', 'Review', 'Account', 'Realtime', 'Audit'];
const adminsOnly = 'Audit';

const Page = ({ path }: { readonly path: ReadonlyArray<string> }) => {
  const name = pageOf(path);
  const Shown = pages.get(name);
  return Shown === undefined ? (
    <>
      <h1>Page not found</h1>
      <p>Choose one of the pages above.</p>
    </>
  ) : (
    <Shown key={name} id={path[1] ?? ''} />
  );
};

/** Keeps the title of the window the same as the heading of the page. */
const useTitle = (): void =>
  useEffect(() => {
    const update = (): void => {
      const heading = document.querySelector('h1')?.textContent ?? '';
      document.title = heading === '' || heading === product ? product : `${heading} – ${product}`;
    };
    const observer = new MutationObserver(update);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    update();
    return () => observer.disconnect();
  }, []);

const warningMs = 600_000;

/** How many milliseconds are left of the session. Asks the service at the end, so that pages without requests notice it too. */
const useTimeLeft = ({ client, expires_at }: Session): number => {
  const [now, setNow] = useState(Date.now());
  useEvery(1_000, async () => setNow(Date.now()));
  const left = expires_at === null ? Infinity : Date.parse(expires_at) - now;
  useEffect(() => {
    if (left <= 0) client.me.get().catch(() => undefined);
  }, [client, left <= 0]);
  return left;
};

/** Warns before the session ends, and asks for a key when it has ended; the page stays. */
const SessionEnd = ({ state }: { readonly state: SessionState }) => {
  const session = useSignedIn();
  const isSoon = useTimeLeft(session) < warningMs;
  const [isOpen, setOpen] = useState(false);
  const { isEnded, signIn, signOut } = state;
  return (
    <>
      {isSoon && !isEnded && session.expires_at !== null && (
        <Notice tone="wait">
          Your session ends at {clock(session.expires_at)}.{' '}
          <Button text="Sign in again" kind="small" onPress={() => setOpen(true)} />
        </Notice>
      )}
      {(isOpen || isEnded) && (
        <SignInAgain
          isEnded={isEnded}
          signIn={async (key) => {
            await signIn(key);
            setOpen(false);
          }}
          onCancel={() => setOpen(false)}
          onSignOut={signOut}
        />
      )}
    </>
  );
};

const Shell = ({ state }: { readonly state: SessionState }) => {
  const { name, admin } = useSignedIn();
  const [path] = useAddress(pathOf);
  const main = useRef<HTMLElement>(null);
  // The focus goes to the new page, so that the keyboard and screen readers are there.
  useEffect(() => main.current?.focus(), [path.join('/')]);
  const current = path[0] === '' || path[0] === 'audios' ? 'videos' : path[0];
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <nav aria-label="Pages">
        <strong>{product}</strong>
        {links
          .filter((title) => admin || title !== adminsOnly)
          .map((title) => (
            <a
              key={title}
              href={`#/${title.toLowerCase()}`}
              aria-current={current === title.toLowerCase() ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        <span class="who">{name}</span>
        <Button text="Sign out" kind="small" onPress={state.signOut} />
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        <SessionEnd state={state} />
        <Page path={path} />
        {state.isAway && (
          <div class="away">
            <Notice tone="wait">The service does not answer at present. The page goes on as soon as it does.</Notice>
          </div>
        )}
      </main>
    </>
  );
};

/** The console: shows the sign-in form, then the page of the current address. */
export const App = () => {
  const state = useSession();
  const { session, message } = state;
  useTitle();
  if (session === undefined) return <p class="quiet">Loading …</p>;
  if (session !== null)
    return (
      <SessionProvider key={session.account_id} value={session}>
        <Shell state={state} />
      </SessionProvider>
    );
  return (
    <>
      {message !== '' && <Notice tone="wait">{message}</Notice>}
      <SignIn signIn={state.signIn} />
    </>
  );
};
