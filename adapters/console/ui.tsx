import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from './format.js';
import type { Query } from './hooks.js';
import { isUnanswered } from './words.js';

type Tone = 'good' | 'bad' | 'wait' | 'quiet';

export const Badge = ({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A message to the user. Screen readers announce an error at once. */
export const Notice = ({ tone = 'bad', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

export const Failure = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : <Notice>{messageOf(error)}</Notice>;

/** Runs an asynchronous action: whether one is under way, and why the last one failed. */
export const useRun = () => {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = (action: () => Promise<unknown>): void => {
    setBusy(true);
    setError(null);
    action()
      .catch((reason: unknown) => setError(reason))
      .finally(() => setBusy(false));
  };
  return { error, isBusy, run };
};

interface ButtonProps {
  readonly text: string;
  /** Its name, where that must say more than its text. */
  readonly label?: string;
  readonly kind?: '' | 'primary' | 'small' | 'link';
}

export const Button = ({ text, label, kind = '', onPress }: ButtonProps & { readonly onPress: () => void }) => (
  <button type="button" class={kind} aria-label={label} onClick={onPress}>
    {text}
  </button>
);

/** A button for an asynchronous action: it can be pressed again when that has ended, with the error below it if it failed. */
export const Action = ({
  run: action,
  text,
  kind = '',
  disabled = false,
  label,
}: ButtonProps & { readonly run: () => Promise<unknown>; readonly disabled?: boolean }) => {
  const { error, isBusy, run } = useRun();
  return (
    <>
      {/* A disabled button would lose the focus. */}
      <button
        type="button"
        class={kind}
        onClick={() => isBusy || run(action)}
        disabled={disabled}
        aria-disabled={isBusy}
        aria-label={label}
      >
        {text}
      </button>
      <Failure error={error} />
    </>
  );
};

/** Why something could not be loaded. */
export const LoadFailure = ({ error }: { readonly error: unknown }) =>
  isUnanswered(error) ? null : <Failure error={error} />;

/** Shows the answer of a request once it has arrived, or why it failed. */
export const Loaded = <Answer,>({
  query: { answer, error, isLoading },
  children,
}: {
  readonly query: Pick<Query<Answer | null>, 'answer' | 'error' | 'isLoading'>;
  readonly children: (answer: Answer) => ComponentChildren;
}) => (
  <>
    <LoadFailure error={error} />
    {answer === null
      ? (error === null ? isLoading : isUnanswered(error)) && <p class="quiet">Loading …</p>
      : children(answer)}
  </>
);

/** Shows a list once it has arrived, or a text if nothing is in it. */
export const LoadedList = <Item,>({
  query,
  empty,
  children,
}: {
  readonly query: Pick<Query<ReadonlyArray<Item>>, 'answer' | 'error' | 'isLoading'>;
  readonly empty: ComponentChildren;
  readonly children: (items: ReadonlyArray<Item>) => ComponentChildren;
}) => <Loaded query={query}>{(items) => (items.length === 0 ? <p class="quiet">{empty}</p> : children(items))}</Loaded>;

/** A column of a table: its title, and what it shows of each row. */
interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => ComponentChildren;
  /** Its look; the cells of a `heading` name their rows. */
  readonly kind?: 'heading' | 'number' | 'words' | 'quiet';
  readonly isTitleHidden?: boolean;
}

interface TableProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: ReadonlyArray<Row>;
  readonly keyOf: (row: Row) => string;
  readonly caption?: string;
}

export const Table = <Row,>({ columns, rows, keyOf, caption }: TableProps<Row>) => (
  <table>
    {caption !== undefined && <caption>{caption}</caption>}
    <thead>
      <tr>
        {columns.map(({ title, kind, isTitleHidden = false }) => (
          <th key={title} scope="col" class={kind}>
            {isTitleHidden ? <span class="hidden">{title}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ title, of, kind, isTitleHidden = false }) =>
            kind === 'heading' ? (
              <th key={title} scope="row">
                {of(row)}
              </th>
            ) : (
              <td key={title} class={kind} data-label={isTitleHidden ? undefined : title}>
                {of(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A table that may be wider than the page: it scrolls by itself, also with the keyboard. On a phone each row is a block. */
export const WideTable = <Row,>({
  label,
  framed = false,
  ...table
}: TableProps<Row> & { readonly label: string; readonly framed?: boolean }) => (
  <div class={framed ? 'scroll framed' : 'scroll'} tabIndex={0} role="region" aria-label={label}>
    <Table {...table} />
  </div>
);

/** Names, each with its value; those without a value (null) are left out. */
export const Facts = ({
  kind = 'facts',
  facts,
}: {
  readonly kind?: 'facts' | 'known' | 'keys';
  readonly facts: ReadonlyArray<readonly [name: ComponentChildren, value: ComponentChildren]>;
}) => (
  <dl class={kind}>
    {facts.map(
      ([name, value], at) =>
        value !== null && (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A section of a page with its heading. */
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
