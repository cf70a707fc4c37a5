import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from './format.js';
import type { Session } from './session.js';
import { Notice } from './ui.js';

type Show = (session: Session, id: string) => VNode;

/** Each page is loaded when it is wanted: signing in needs none of them. */
const loads = {
  videos: async (): Promise<Show> => {
    const { Videos } = await import('./videos.js');
    return (session) => <Videos session={session} />;
  },
  video: async (): Promise<Show> => {
    const { VideoPage } = await import('./video/page.js');
    return (session, id) => <VideoPage key={id} video_id={id} session={session} />;
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

/** Which page an address names; null where it names none. */
export const pageNamed = ([first = '', id]: ReadonlyArray<string>): PageName | null => {
  const name = first === '' ? 'videos' : first;
  if (name === 'videos' && id !== undefined) return 'video';
  return isPageName(name) && name !== 'video' ? name : null;
};

const loaded = new Map<PageName, Show>();

/** Has a page at hand. */
export const load = async (name: PageName): Promise<void> => {
  if (!loaded.has(name)) loaded.set(name, await loads[name]());
};

/** Has the other pages at hand before they are wanted, one after the other: a page that is wanted now comes before them. */
export const loadAll = async (): Promise<void> => {
  for (const name of Object.keys(loads)) if (isPageName(name)) await load(name).catch(() => undefined);
};

/** The page of a name, once it is loaded. */
export const OpenedPage = ({
  name,
  id,
  session,
}: {
  readonly name: PageName;
  readonly id: string;
  readonly session: Session;
}) => {
  const [, setCame] = useState<PageName | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isLeft = false;
    load(name).then(
      () => isLeft || setCame(name),
      (reason: unknown) => isLeft || setError(reason),
    );
    return () => void (isLeft = true);
  }, [name]);
  const show = loaded.get(name);
  if (show !== undefined) return show(session, id);
  if (error === null) return <p class="quiet">Loading …</p>;
  return (
    <Notice>
      This page could not be loaded: {words(error)}
      <div class="actions">
        <button type="button" onClick={() => location.reload()}>
          Load it anew
        </button>
      </div>
    </Notice>
  );
};
