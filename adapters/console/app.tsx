import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './format.js';
import { LazyPage, load, loadAll, pageOf } from './lazy-page.js';
import { type Session, isSignedIn, resume, signOut } from './session.js';
import { SignIn } from './sign-in.js';
import { Notice } from './ui.js';

const pathOf = (): ReadonlyArray<string> =>
  location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part));

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

const Shell = ({ session, onEnd }: { readonly session: Session; readonly onEnd: (why: string) => void }) => {
  const path = usePath();
  const [isSigningOut, setSigningOut] = useState(false);
  const leave = (): void => {
    // Hides the page, because it would go on sending requests with the revoked key.
    setSigningOut(true);
    signOut(session).then(
      () => onEnd('You are signed out. The key of this tab was revoked.'),
      (error: unknown) =>
        onEnd(`You are signed out in this tab, but its key could not be revoked: ${messageOf(error)}`),
    );
  };
  const current = path[0] === '' ? 'videos' : path[0];
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.querySelector('main')?.focus())}
      >
        Skip to the content
      </a>
      <nav aria-label="Pages">
        <strong>Media analysis</strong>
        {pages
          .filter(([, , adminOnly]) => session.admin || !adminOnly)
          .map(([to, title]) => (
            <a key={to} href={`#/${to}`} aria-current={current === to ? 'page' : undefined}>
              {title}
            </a>
          ))}
        <span class="who">{session.name}</span>
        <button type="button" class="small" onClick={leave}>
          Sign out
        </button>
      </nav>
      <main id="main" tabIndex={-1}>
        {!isSigningOut && <Page path={path} session={session} />}
      </main>
    </>
  );
};

/** The console: shows the sign-in form, then the page of the current address. */
export const App = () => {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  const [message, setMessage] = useState('');
  useEffect(() => {
    const wanted = pageOf(pathOf());
    // The code of the page is loaded while the request for the session is under way.
    if (isSignedIn() && wanted !== null) void load(wanted).catch(() => undefined);
    const loadOthers = (): void => void setTimeout(() => void loadAll(), 0);
    resume()
      .then(setSession, (error: unknown) => {
        setMessage(messageOf(error));
        setSession(null);
      })
      .finally(() => requestAnimationFrame(loadOthers));
  }, []);
  if (session === undefined) return <p class="quiet">Loading …</p>;
  if (session !== null)
    return (
      <Shell
        session={session}
        onEnd={(why) => {
          setMessage(why);
          setSession(null);
        }}
      />
    );
  return (
    <>
      {message !== '' && <Notice tone="wait">{message}</Notice>}
      <SignIn onSession={setSession} />
    </>
  );
};
