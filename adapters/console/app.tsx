import { useEffect, useRef, useState } from 'preact/hooks';
import { clock } from './format.js';
import { LazyPage, load, loadAll, pageOf } from './lazy-page.js';
import { type Session, isSignedIn } from './session.js';
import { SignIn, SignInAgain } from './sign-in.js';
import { Notice } from './ui.js';
import { type SessionState, useSession } from './use-session.js';

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

const usePath = (): ReadonlyArray<string> => {
  const [path, setPath] = useState(pathOf);
  useEffect(() => {
    const onHashChange = (): void => setPath(pathOf());
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return path;
};

const pages: ReadonlyArray<readonly [path: string, title: string, adminOnly: boolean]> = [
  ['videos', 'Videos', false],
  ['review', 'Review', false],
  ['account', 'Account', false],
  ['realtime', 'Realtime', false],
  ['audit', 'Audit', true],
];

const Page = ({ path, session }: { readonly path: ReadonlyArray<string>; readonly session: Session }) => {
  const name = pageOf(path);
  return name === null ? (
    <>
      <h1>Page not found</h1>
      <p>Choose one of the pages above.</p>
    </>
  ) : (
    <LazyPage key={name} name={name} id={path[1] ?? ''} session={session} />
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

/** Whether the session ends soon. Asks the service once the time has come, so that pages without requests notice it too. */
const useEndsSoon = ({ client, expires_at }: Session): boolean => {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    if (expires_at === null) return setSoon(false);
    let isAsked = false;
    const check = (): void => {
      const left = Date.parse(expires_at) - Date.now();
      setSoon(left < warningMs);
      if (left > 0 || isAsked) return;
      isAsked = true;
      client.me.get().catch(() => undefined);
    };
    check();
    const timer = setInterval(check, 1_000);
    return () => clearInterval(timer);
  }, [client, expires_at]);
  return isSoon;
};

/** Warns before the session ends, and asks for a key when it has ended; the page stays. */
const SessionEnd = ({ session, state }: { readonly session: Session; readonly state: SessionState }) => {
  const isSoon = useEndsSoon(session);
  const [isOpen, setOpen] = useState(false);
  const { isEnded, signIn, signOut } = state;
  return (
    <>
      {isSoon && !isEnded && session.expires_at !== null && (
        <Notice tone="wait">
          Your session ends at {clock(session.expires_at)}.{' '}
          <button type="button" class="small" onClick={() => setOpen(true)}>
            Sign in again
          </button>
        </Notice>
      )}
      {session.isGiven && (
        <Notice tone="wait">
          The account has too many temporary keys, so this tab uses the key that you entered, until it is loaded again.
          An administrator can revoke temporary keys.
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

const Shell = ({ session, state }: { readonly session: Session; readonly state: SessionState }) => {
  const path = usePath();
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
        {pages
          .filter(([, , adminOnly]) => session.admin || !adminOnly)
          .map(([to, title]) => (
            <a key={to} href={`#/${to}`} aria-current={current === to ? 'page' : undefined}>
              {title}
            </a>
          ))}
        <span class="who">{session.name}</span>
        <button type="button" class="small" onClick={state.signOut}>
          Sign out
        </button>
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        <SessionEnd session={session} state={state} />
        <Page path={path} session={session} />
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
  useEffect(() => {
    const wanted = pageOf(pathOf());
    // The code of the page is loaded while the request for the session is under way.
    if (isSignedIn() && wanted !== null) void load(wanted).catch(() => undefined);
  }, []);
  useEffect(() => {
    if (session !== undefined) requestAnimationFrame(() => void setTimeout(() => void loadAll(), 0));
  }, [session === undefined]);
  if (session === undefined) return <p class="quiet">Loading …</p>;
  if (session !== null) return <Shell key={session.account_id} session={session} state={state} />;
  return (
    <>
      {message !== '' && <Notice tone="wait">{message}</Notice>}
      <SignIn signIn={state.signIn} />
    </>
  );
};
