import streamsPb, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '@grpc/grpc-js';
import type { Positions } from '../behaviour.js';
import { invalid, invalidPosition } from '../errors.js';
import { type RowFilter, rowFilter } from '../log/row-filter.js';
import { streamName } from './stream-name.js';

const { Options } = streamsPb.ReadReq;

export interface Filtered extends RowFilter {
  /** A subscriber receives a checkpoint after this many examined events. */
  readonly checkpointEvery: number;
}

export interface ReadRequest {
  /** Null: all streams. */
  readonly stream: string | null;
  /** A revision of the stream, or a row of the log (a fraction if between two rows). */
  readonly from: number | 'start' | 'end';
  readonly backwards: boolean;
  /** The maximum number of events; null for a subscription, which does not end. */
  readonly count: number | null;
  readonly resolveLinks: boolean;
  readonly filter: Filtered | null;
  /** Whether ids are sent as two integers. */
  readonly structuredIds: boolean;
}

const defaultWindow = 32;
const maxFrom = Number.MAX_SAFE_INTEGER - 1;

type From = ReadRequest['from'];

const numeric = (text: string): number => Math.min(Number(text), maxFrom);

const fromRevision = (options: ReadReq.Options.StreamOptions): From => {
  if (options.hasRevision()) return numeric(options.getRevision());
  return options.hasEnd() ? 'end' : 'start';
};

/** Null for a position from which nothing may be read. */
const fromPosition = (options: ReadReq.Options.AllOptions, { rowAt }: Positions): From | null => {
  const position = options.getPosition();
  if (position === undefined) return options.hasEnd() ? 'end' : 'start';
  const { commitPosition, preparePosition } = position.toObject();
  return rowAt({ commit: BigInt(commitPosition), prepare: BigInt(preparePosition) });
};

const filterOf = (options: ReadReq.Options.FilterOptions): E.Either<ServiceError, Filtered> => {
  const expression = options.getStreamIdentifier() ?? options.getEventType();
  if (expression === undefined) return E.left(invalid('a filter looks at stream names or at event types'));
  const multiplier = options.getCheckpointintervalmultiplier();
  if (multiplier === 0) return E.left(invalid('the checkpoint interval is 1 or more'));
  const window = options.hasMax() ? Math.max(1, options.getMax()) : defaultWindow;
  return E.tryCatch(
    () => ({
      ...rowFilter(options.hasStreamIdentifier() ? 'stream' : 'type', {
        regex: expression.getRegex(),
        prefixes: expression.getPrefixList(),
      }),
      checkpointEvery: window * multiplier,
    }),
    () => invalid('the regular expression of the filter is invalid'),
  );
};

const targetOf = (
  options: ReadReq.Options,
  positions: Positions,
): E.Either<ServiceError, Pick<ReadRequest, 'stream' | 'from'>> => {
  const stream = options.getStream();
  const all = options.getAll();
  if (all !== undefined) {
    const from = fromPosition(all, positions);
    return from === null ? E.left(invalidPosition(options.hasSubscription())) : E.right({ stream: null, from });
  }
  const name = streamName(stream?.getStreamIdentifier());
  return stream === undefined || name === null
    ? E.left(invalid('a read names a stream, or all'))
    : E.right({ stream: name, from: fromRevision(stream) });
};

/** The decoded read request, or why it is invalid. */
export const readRequest = (request: ReadReq, positions: Positions): E.Either<ServiceError, ReadRequest> => {
  const options = request.getOptions() ?? new Options();
  const target = targetOf(options, positions);
  if (E.isLeft(target)) return target;
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? E.right(null) : filterOf(filterOptions);
  if (E.isLeft(filter)) return filter;
  const backwards = options.getReadDirection() === Options.ReadDirection.BACKWARDS;
  if (options.hasSubscription() && backwards) return E.left(invalid('a subscription reads forwards'));
  return E.right({
    ...target.right,
    backwards,
    count: options.hasSubscription() ? null : numeric(options.getCount()),
    resolveLinks: options.getResolveLinks(),
    filter: filter.right,
    structuredIds: options.getUuidOption()?.hasStructured() ?? false,
  });
};
