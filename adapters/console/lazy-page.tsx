import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './format.js';
import type { Session } from './session.js';
import { Notice } from './ui.js';

type Show = (session: Session, id: string) => VNode;

/** The pages. Their code is loaded on demand, because signing in needs none of them. */
const loads = {
  videos: async (): Promise<Show> => {
    const { Videos } = await import('./videos.js');
    return (session) => <Videos session={session} />;
  },
  video: async (): Promise<Show> => {
    const { RecordingPage } = await import('./video/page.js');
    return (session, id) => <RecordingPage key={id} kind="video" id={id} session={session} />;
  },
  audio: async (): Promise<Show> => {
    const { RecordingPage } = await import('./video/page.js');
    return (session, id) => <RecordingPage key={id} kind="audio" id={id} session={session} />;
  },
  review: async (): Promise<Show> => {
    const { Review } = await import('./review/page.js');
    return (session) => <Review session={session} />;
  },
  account: async (): Promise<Show> => {
    const { Account } = await import('./account.js');
    return (session) => <Account session={session} />;
  },
  realtime: async (): Promise<Show> => {
    const { Realtime } = await import('./realtime.js');
    return (session) => <Realtime session={session} />;
  },
  audit: async (): Promise<Show> => {
    const { Audit } = await import('./audit/page.js');
    return (session) => <Audit session={session} />;
  },
} as const;

export type PageName = keyof typeof loads;

const isPageName = (text: string): text is PageName => Object.hasOwn(loads, text);

/** The page of an address; null if there is none. */
export const pageOf = ([first = '', id = '']: ReadonlyArray<string>): PageName | null => {
  const name = first === '' ? 'videos' : first;
  if (id !== '' && name === 'videos') return 'video';
  if (id !== '' && name === 'audios') return 'audio';
  return isPageName(name) && name !== 'video' && name !== 'audio' ? name : null;
};

const loaded = new Map<PageName, Show>();

/** Loads the code of a page, once. */
export const load = async (name: PageName): Promise<void> => {
  if (!loaded.has(name)) loaded.set(name, await loads[name]());
};

/** Preloads all pages, one after the other, so that a page that is opened meanwhile is not delayed. */
export const loadAll = async (): Promise<void> => {
  for (const name of Object.keys(loads)) if (isPageName(name)) await load(name).catch(() => undefined);
};

/** A page whose code is loaded when it is first shown. */
export const LazyPage = ({
  name,
  id,
  session,
}: {
  readonly name: PageName;
  readonly id: string;
  readonly session: Session;
}) => {
  const [, setLoaded] = useState<PageName | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isRemoved = false;
    load(name).then(
      () => isRemoved || setLoaded(name),
      (reason: unknown) => isRemoved || setError(reason),
    );
    return () => void (isRemoved = true);
  }, [name]);
  const show = loaded.get(name);
  if (show !== undefined) return show(session, id);
  if (error === null) return <p class="quiet">Loading …</p>;
  return (
    <Notice>
      This page could not be loaded: {messageOf(error)}
      <div class="actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    </Notice>
  );
};
