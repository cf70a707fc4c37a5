import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { Script, createContext } from 'node:vm';
import type { EventRow } from '../event-store/sqlite/read.js';
import { invalid } from './errors.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import type { Place, Source } from './rows.js';

/** Which rows a client wants. Throws the error for the client. */
type RowFilter = (rows: ReadonlyArray<EventRow>) => ReadonlyArray<boolean>;

/** What a name must match: a regular expression, or one of several prefixes. */
interface Expression {
  readonly regex: string;
  readonly prefixes: ReadonlyArray<string>;
}

/**
 * Some regular expressions take practically for ever on some names. Node interrupts only what runs in a context of its
 * own, so that is where they run, for at most this long for a page of names.
 */
const maxMatchingMs = 200;
const matching = new Script('names.map((name) => pattern.test(name))');
const context = createContext({});

/** Null if it was interrupted. */
const matched = (): ReadonlyArray<unknown> | null => {
  try {
    const result: unknown = matching.runInContext(context, { timeout: maxMatchingMs });
    const found: ReadonlyArray<unknown> = Array.isArray(result) ? result : [];
    return found;
  } catch {
    return null;
  }
};

const matches = (pattern: RegExp, names: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  Object.assign(context, { pattern, names });
  // The limit counts what a busy machine gives to other programs too: a single interruption proves nothing.
  const found = matched() ?? matched();
  if (found === null) throw invalid('the regular expression of the filter takes too long');
  return found;
};

/** Throws the error for the client if the regular expression is invalid. */
const compiled = (regex: string): RegExp => {
  try {
    return new RegExp(regex, 'u');
  } catch {
    throw invalid('the regular expression of the filter is invalid');
  }
};

/** A filter on stream names or event types. */
const rowFilter = (on: 'stream' | 'type', { regex, prefixes }: Expression): RowFilter => {
  const nameOf = ([, stream, , , type]: EventRow): string => (on === 'stream' ? stream : type);
  if (regex === '') return (rows) => rows.map((row) => prefixes.some((prefix) => nameOf(row).startsWith(prefix)));
  const pattern = compiled(regex);
  return (rows) => {
    const names = [...new Set(rows.map(nameOf))];
    const found = names.length === 0 ? [] : matches(pattern, names);
    const wanted = new Set(names.filter((_, index) => found[index] === true));
    return rows.map((row) => wanted.has(nameOf(row)));
  };
};

const { Options } = streamsPb.ReadReq;

interface Filtered {
  readonly isWanted: RowFilter;
  /** A subscriber receives a checkpoint after this many examined events. */
  readonly checkpointEvery: number;
}

export interface ReadRequest extends Source {
  /** The first place to read; null for the end. */
  readonly from: Place | null;
  /** The maximum number of events; null for a subscription, which does not end. */
  readonly count: number | null;
  readonly filter: Filtered | null;
  /** Whether ids are sent as two integers. */
  readonly structuredIds: boolean;
}

const defaultWindow = 32;
const greatestPlace = Number.MAX_SAFE_INTEGER - 1;

const numeric = (text: string): number => Math.min(Number(text), greatestPlace);

/** The stream name in a request; null if there is none. */
export const streamName = (identifier: StreamIdentifier | undefined): string | null => {
  const name = identifier === undefined ? '' : Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
  return name === '' ? null : name;
};

/** A subscription starts after the revision that it names. */
const fromRevision = (options: ReadReq.Options.StreamOptions, subscribes: boolean): Place | null => {
  if (options.hasRevision()) return numeric(options.getRevision()) + (subscribes ? 1 : 0);
  return options.hasEnd() ? null : 0;
};

/** A subscription starts after the position that it names, and a read backwards before it. */
const fromPosition = (options: ReadReq.Options.AllOptions, subscribes: boolean, backwards: boolean): Place | null => {
  if (options.hasEnd()) return null;
  const position = options.getPosition()?.getCommitPosition() ?? '0';
  return numeric(position) + (subscribes ? 1 : backwards ? -1 : 0);
};

const sourceOf = (options: ReadReq.Options): Pick<ReadRequest, keyof Source | 'from'> => {
  const backwards = options.getReadDirection() === Options.ReadDirection.BACKWARDS;
  const subscribes = options.hasSubscription();
  if (subscribes && backwards) throw invalid('a subscription reads forwards');
  const all = options.getAll();
  if (all !== undefined) return { stream: null, backwards, from: fromPosition(all, subscribes, backwards) };
  const of = options.getStream();
  const stream = streamName(of?.getStreamIdentifier());
  if (of === undefined || stream === null) throw invalid('a read names a stream, or all');
  return { stream, backwards, from: fromRevision(of, subscribes) };
};

const filterOf = (options: ReadReq.Options.FilterOptions): Filtered => {
  const expression = options.getStreamIdentifier() ?? options.getEventType();
  if (expression === undefined) throw invalid('a filter looks at stream names or at event types');
  const multiplier = options.getCheckpointintervalmultiplier();
  if (multiplier === 0) throw invalid('the checkpoint interval is 1 or more');
  const window = options.hasMax() ? Math.max(1, options.getMax()) : defaultWindow;
  return {
    isWanted: rowFilter(options.hasStreamIdentifier() ? 'stream' : 'type', {
      regex: expression.getRegex(),
      prefixes: expression.getPrefixList(),
    }),
    checkpointEvery: window * multiplier,
  };
};

/** The decoded read request. Throws the error for the client if it is invalid. */
export const readRequest = (request: ReadReq): ReadRequest => {
  const options = request.getOptions() ?? new Options();
  const filter = options.getFilter();
  return {
    ...sourceOf(options),
    count: options.hasSubscription() ? null : numeric(options.getCount()),
    filter: filter === undefined ? null : filterOf(filter),
    structuredIds: options.getUuidOption()?.hasStructured() ?? false,
  };
};
