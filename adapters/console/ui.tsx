import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from './format.js';
import type { Asked } from './hooks.js';

type Tone = 'good' | 'bad' | 'wait' | 'quiet';

export const Badge = ({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** What the user has to know; a failure is read out at once. */
export const Notice = ({ tone = 'bad', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

export const Failure = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : <Notice>{words(error)}</Notice>;

/** A button whose work takes time: it cannot be pressed twice, and says what failed. */
export const Action = ({
  run,
  children,
  kind = '',
  disabled = false,
  label,
}: {
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly kind?: '' | 'primary' | 'small';
  readonly disabled?: boolean;
  readonly label?: string;
}) => {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const pressed = (): void => {
    setBusy(true);
    setError(null);
    run()
      .catch((reason: unknown) => setError(reason))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" class={kind} onClick={pressed} disabled={disabled || isBusy} aria-label={label}>
        {children}
      </button>
      <Failure error={error} />
    </>
  );
};

/** Shows an answer once it is there, and what keeps it away. */
export const Shown = <Answer,>({
  asked: { answer, error, isLoading },
  children,
}: {
  readonly asked: Asked<Answer | null>;
  readonly children: (answer: Answer) => ComponentChildren;
}) => (
  <>
    <Failure error={error} />
    {answer === null ? isLoading && error === null && <p class="quiet">Loading …</p> : children(answer)}
  </>
);

/** Holds a table that may be wider than the page: it scrolls within itself, by keyboard too. */
export const Scroll = ({
  label,
  framed = false,
  children,
}: {
  readonly label: string;
  readonly framed?: boolean;
  readonly children: ComponentChildren;
}) => (
  <div class={framed ? 'scroll framed' : 'scroll'} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);

/** A part of a page under a heading. */
export const Part = ({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="part">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);
