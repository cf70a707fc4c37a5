import { useEffect, useState } from 'preact/hooks';
import { Account } from './account.js';
import { Audit } from './audit/page.js';
import { words } from './format.js';
import { Realtime } from './realtime.js';
import { Review } from './review/page.js';
import { type Session, resume, signOut } from './session.js';
import { SignIn } from './sign-in.js';
import { Notice } from './ui.js';
import { VideoPage } from './video/page.js';
import { Videos } from './videos.js';

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

const Page = ({ path: [page, id], session }: { readonly path: ReadonlyArray<string>; readonly session: Session }) => {
  switch (page) {
    case 'videos':
      return id === undefined ? <Videos session={session} /> : <VideoPage key={id} video_id={id} session={session} />;
    case 'review':
      return <Review session={session} />;
    case 'account':
      return <Account session={session} />;
    case 'realtime':
      return <Realtime session={session} />;
    case 'audit':
      return <Audit session={session} />;
    case undefined:
    case '':
      return <Videos session={session} />;
    default:
      return <h1>There is no such page.</h1>;
  }
};

const Shell = ({ session, onEnd }: { readonly session: Session; readonly onEnd: (why: string) => void }) => {
  const path = usePath();
  const leave = (): void => {
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
        <Page path={path} session={session} />
      </main>
    </>
  );
};

/** The console: signs in, then shows the page that the address names. */
export const App = () => {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    resume().then(setSession, (error: unknown) => {
      setSaid(words(error));
      setSession(null);
    });
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
