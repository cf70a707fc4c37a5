import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type Rows, tombstoneRevision } from './rows.js';
import { fromStored } from './stored-payload.js';

/** The limits in a stream's newest metadata, which decide what is visible of the stream. */
export interface StreamLimits {
  readonly maxCount: number | null;
  /** In seconds. */
  readonly maxAge: number | null;
  /** Events below this revision are hidden. */
  readonly truncateBefore: number;
}

export interface StreamState {
  /** The revision of the newest event; -1 if there is none. */
  readonly last: number;
  readonly tombstoned: boolean;
  /** Deleted until the next append revives it. */
  readonly softDeleted: boolean;
  readonly limits: StreamLimits;
}

/** `$tb` of a soft-deleted stream: the greatest revision of the protocol. */
export const deletedMark = '9223372036854775807';

export const metadataType = '$metadata';

const Limits = t.partial({ $maxCount: t.number, $maxAge: t.number, $tb: t.number });

const unlimited: StreamLimits = { maxCount: null, maxAge: null, truncateBefore: 0 };

export const metadataStreamOf = (stream: string): string => `$$${stream}`;

export const isMetadataStream = (stream: string): boolean => stream.startsWith('$$');

/** The text of a stream's newest metadata; null if it has none. */
export const metadataText = (rows: Rows, stream: string): string | null => {
  if (isMetadataStream(stream)) return null;
  const [row] = rows.streamBackwards(metadataStreamOf(stream), tombstoneRevision, 1);
  if (row === undefined) return null;
  const { data } = fromStored({ data: row[5], metadata: row[6] });
  return typeof data === 'string' ? data : null;
};

const limitsOf = (text: string): StreamLimits => {
  const limits = Limits.decode(JSON.parse(text));
  if (E.isLeft(limits)) return unlimited;
  const { $maxCount, $maxAge, $tb } = limits.right;
  return { maxCount: $maxCount ?? null, maxAge: $maxAge ?? null, truncateBefore: $tb ?? 0 };
};

/** The current state of a stream. In this protocol a metadata stream always keeps only its newest event. */
export const streamState = (rows: Rows, stream: string): StreamState => {
  const last = rows.lastRevision(stream);
  if (isMetadataStream(stream))
    return {
      last,
      tombstoned: rows.lastRevision(stream.slice(2)) === tombstoneRevision,
      softDeleted: false,
      limits: { ...unlimited, maxCount: 1 },
    };
  const text = metadataText(rows, stream);
  const limits = text === null ? unlimited : limitsOf(text);
  return {
    last,
    tombstoned: last === tombstoneRevision,
    softDeleted: limits.truncateBefore >= tombstoneRevision,
    limits,
  };
};

/** The first visible revision, apart from the age limit. */
export const firstVisible = ({ last, limits: { maxCount, truncateBefore } }: StreamState): number =>
  Math.max(truncateBefore, maxCount === null ? 0 : last - maxCount + 1);
