import { useEffect, useState } from 'preact/hooks';
import { words } from './format.js';
import { OpenedPage, load, loadAll, pageNamed } from './opened-page.js';
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
    const moved = (): void => setPath(pathOf());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return path;
};

const pages: ReadonlyArray<readonly [path: string, title: string, adminAlone: boolean]> = [
  ['videos', 'Videos', false],
  ['review', 'Review', false],
  ['account', 'Account', false],
  ['realtime', 'Realtime', false],
  ['audit', 'Audit', true],
];

const Page = ({ path, session }: { readonly path: ReadonlyArray<string>; readonly session: Session }) => {
  const name = pageNamed(path);
  return name === null ? (
    <h1>There is no such page.</h1>
  ) : (
    <OpenedPage key={name} name={name} id={path[1] ?? ''} session={session} />
  );
};

const Shell = ({ session, onEnd }: { readonly session: Session; readonly onEnd: (why: string) => void }) => {
  const path = usePath();
  const [isLeaving, setLeaving] = useState(false);
  const leave = (): void => {
    // A page that is left open goes on asking, with a key that holds no more.
    setLeaving(true);
    signOut(session).then(
      () => onEnd('Signed out: the key of this tab is revoked.'),
      (error: unknown) => onEnd(`Signed out here; the key was not revoked: ${words(error)}`),
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
        Skip to the page
      </a>
      <nav aria-label="Pages">
        <strong>Media analysis</strong>
        {pages
          .filter(([, , adminAlone]) => session.admin || !adminAlone)
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
        {!isLeaving && <Page path={path} session={session} />}
      </main>
    </>
  );
};

/** The console: signs in, then shows the page that the address names. */
export const App = () => {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const wanted = pageNamed(pathOf());
    // A page that is to be shown is loaded while the service is asked who is signed in.
    if (isSignedIn() && wanted !== null) void load(wanted).catch(() => undefined);
    const others = (): void => void setTimeout(() => void loadAll(), 0);
    resume()
      .then(setSession, (error: unknown) => {
        setSaid(words(error));
        setSession(null);
      })
      .finally(() => requestAnimationFrame(others));
  }, []);
  if (session === undefined) return <p class="quiet">Loading …</p>;
  if (session !== null)
    return (
      <Shell
        session={session}
        onEnd={(why) => {
          setSaid(why);
          setSession(null);
        }}
      />
    );
  return (
    <>
      {said !== '' && <Notice tone="wait">{said}</Notice>}
      <SignIn onSession={setSession} />
    </>
  );
};
