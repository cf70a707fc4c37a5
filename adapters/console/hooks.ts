import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAway } from './words.js';

/** The state of a request. The previous answer is kept while a newer one is fetched, and when that fails. */
export interface Query<Answer> {
  readonly answer: Answer | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Sends the request again. */
  readonly refresh: () => void;
}

/** Calls a function at an interval (null: never), while the page is visible and the previous call has ended. */
export const useEvery = (milliseconds: number | null, work: () => Promise<unknown>): void => {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (milliseconds === null) return;
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy || document.hidden) return;
      isBusy = true;
      const done = (): void => void (isBusy = false);
      latest.current().then(done, done);
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
};

/** The polling interval for data that others may change. */
export const pollMs = 800;

/**
 * Sends a request when the component is first shown, whenever one of `dependencies` changes, and at an interval. The
 * request is aborted when the component is removed.
 */
export const useQuery = <Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  dependencies: ReadonlyArray<unknown>,
  intervalMs: number | null = null,
): Query<Answer> => {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Query<Answer>, 'refresh'>>({ answer: null, error: null, isLoading: true });
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    send(stop.signal).then(
      (answer) => stop.signal.aborted || setState({ answer, error: null, isLoading: false }),
      (error: unknown) => stop.signal.aborted || setState(({ answer }) => ({ answer, error, isLoading: false })),
    );
    return () => stop.abort();
  }, [...dependencies, round]);
  const refresh = useCallback(() => setRound((n) => n + 1), []);
  // What was not answered is asked again.
  useEvery(isAway(state.error) ? pollMs : intervalMs, async () => state.isLoading || refresh());
  return { ...state, refresh };
};

/** Handles events of the window while the component is shown. */
export const useWindowEvent = <Type extends keyof WindowEventMap>(
  type: Type,
  handle: (event: WindowEventMap[Type]) => void,
): void => {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const onEvent = (event: WindowEventMap[Type]): void => latest.current(event);
    addEventListener(type, onEvent);
    return () => removeEventListener(type, onEvent);
  }, [type]);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/**
 * Handles keyboard shortcuts of a page. Keys are ignored while the user types in a field or a dialog is open, and when
 * they repeat because they are held down. If `pressed` returns true, the default action of the browser is prevented.
 */
export const useKeys = (pressed: (key: string, event: KeyboardEvent) => boolean): void =>
  useWindowEvent('keydown', (event) => {
    if (document.querySelector('dialog[open]') !== null) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (pressed(event.key, event)) event.preventDefault();
  });

/** What is read from the address, also after that has changed. */
export const useAddress = <Value>(read: () => Value): readonly [Value, (value: Value) => void] => {
  const [value, setValue] = useState(read);
  useWindowEvent('hashchange', () => setValue(read));
  return [value, setValue];
};

const parametersNow = (): URLSearchParams => new URLSearchParams(location.hash.split('?')[1] ?? '');

/** The parameters of the page in the address, so that going back, a reload or a bookmark restores them. */
export const useParameters = (): readonly [URLSearchParams, (changed: Readonly<Record<string, string>>) => void] => {
  const [parameters, setParameters] = useAddress(parametersNow);
  /** Changes parameters; those with an empty value are left out. */
  const change = (changed: Readonly<Record<string, string>>): void => {
    const next = parametersNow();
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    const [path = ''] = location.hash.split('?');
    history.replaceState(null, '', next.size === 0 ? path || '#/videos' : `${path || '#/videos'}?${next}`);
    setParameters(next);
  };
  return [parameters, change];
};
