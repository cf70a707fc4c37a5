import streamsPb, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '@grpc/grpc-js';
import { invalid } from './errors.js';
import { type RowFilter, rowFilter } from './filter.js';
import type { Place, Source } from './rows.js';

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

const sourceOf = (options: ReadReq.Options): E.Either<ServiceError, Pick<ReadRequest, keyof Source | 'from'>> => {
  const backwards = options.getReadDirection() === Options.ReadDirection.BACKWARDS;
  const subscribes = options.hasSubscription();
  if (subscribes && backwards) return E.left(invalid('a subscription reads forwards'));
  const all = options.getAll();
  if (all !== undefined) return E.right({ stream: null, backwards, from: fromPosition(all, subscribes, backwards) });
  const of = options.getStream();
  const stream = streamName(of?.getStreamIdentifier());
  return of === undefined || stream === null
    ? E.left(invalid('a read names a stream, or all'))
    : E.right({ stream, backwards, from: fromRevision(of, subscribes) });
};

const filterOf = (options: ReadReq.Options.FilterOptions): E.Either<ServiceError, Filtered> => {
  const expression = options.getStreamIdentifier() ?? options.getEventType();
  if (expression === undefined) return E.left(invalid('a filter looks at stream names or at event types'));
  const multiplier = options.getCheckpointintervalmultiplier();
  if (multiplier === 0) return E.left(invalid('the checkpoint interval is 1 or more'));
  const window = options.hasMax() ? Math.max(1, options.getMax()) : defaultWindow;
  return E.tryCatch(
    () => ({
      isWanted: rowFilter(options.hasStreamIdentifier() ? 'stream' : 'type', {
        regex: expression.getRegex(),
        prefixes: expression.getPrefixList(),
      }),
      checkpointEvery: window * multiplier,
    }),
    () => invalid('the regular expression of the filter is invalid'),
  );
};

/** The decoded read request, or why it is invalid. */
export const readRequest = (request: ReadReq): E.Either<ServiceError, ReadRequest> => {
  const options = request.getOptions() ?? new Options();
  const source = sourceOf(options);
  if (E.isLeft(source)) return source;
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? E.right(null) : filterOf(filterOptions);
  if (E.isLeft(filter)) return filter;
  return E.right({
    ...source.right,
    count: options.hasSubscription() ? null : numeric(options.getCount()),
    filter: filter.right,
    structuredIds: options.getUuidOption()?.hasStructured() ?? false,
  });
};
