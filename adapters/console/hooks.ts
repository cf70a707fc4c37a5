import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** What was asked for: not there yet, there, or failed. An older answer stays while a newer one is fetched. */
export interface Asked<Answer> {
  readonly answer: Answer | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Asks again. */
  readonly refresh: () => void;
}

/** Does something every so often, as long as the page is to be seen and what was begun last has ended. */
export const useEvery = (milliseconds: number | null, work: () => Promise<unknown>): void => {
  const newest = useRef(work);
  newest.current = work;
  useEffect(() => {
    if (milliseconds === null) return;
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy || document.hidden) return;
      isBusy = true;
      const done = (): void => void (isBusy = false);
      newest.current().then(done, done);
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
};

/** How soon what others change is to be seen, in milliseconds. */
export const live = 800;

/**
 * Asks when it is first shown, whenever one of `about` changes, and every so often. Leaving the page ends what is
 * under way.
 */
export const useAsked = <Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  about: ReadonlyArray<unknown>,
  every_ms: number | null = null,
): Asked<Answer> => {
  const [round, setRound] = useState(0);
  const [asked, setAsked] = useState<Omit<Asked<Answer>, 'refresh'>>({ answer: null, error: null, isLoading: true });
  useEffect(() => {
    const stop = new AbortController();
    setAsked((before) => ({ ...before, isLoading: true }));
    ask(stop.signal).then(
      (answer) => stop.signal.aborted || setAsked({ answer, error: null, isLoading: false }),
      (error: unknown) => stop.signal.aborted || setAsked(({ answer }) => ({ answer, error, isLoading: false })),
    );
    return () => stop.abort();
  }, [...about, round]);
  const refresh = useCallback(() => setRound((n) => n + 1), []);
  useEvery(every_ms, async () => asked.isLoading || refresh());
  return { ...asked, refresh };
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Keys of the page, by their names; none counts while somebody types, nor again while it is held down. Answering true keeps the browser from its own. */
export const useKeys = (pressed: (key: string, event: KeyboardEvent) => boolean): void => {
  const newest = useRef(pressed);
  newest.current = pressed;
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (newest.current(event.key, event)) event.preventDefault();
    };
    addEventListener('keydown', heard);
    return () => removeEventListener('keydown', heard);
  }, []);
};
