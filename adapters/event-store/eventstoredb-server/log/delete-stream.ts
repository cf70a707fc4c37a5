import { type AppendOutcome, type Appender, type Expected, type PreparedEvent, ownEvent } from './append.js';
import { type Rows, tombstoneRevision } from './rows.js';
import { toStored } from './stored-payload.js';
import {
  type StreamState,
  deletedMark,
  metadataStreamOf,
  metadataText,
  metadataType,
  streamState,
} from './stream-state.js';

/** Inside a transaction of the caller: deletes a stream, or says why not. */
export type DeleteStream = (stream: string, expected: Expected) => AppendOutcome;

const tombstoneType = '$streamDeleted';

const unlike = ({ last, softDeleted }: StreamState, expected: Expected): AppendOutcome | null => {
  const there = last >= 0 && !softDeleted;
  const fits =
    expected === 'any' ||
    (expected === 'stream_exists' && there) ||
    (expected === 'no_stream' && !there) ||
    expected === last;
  return fits ? null : { _tag: 'WrongExpectedVersion', actual: last };
};

const tombstone = (): PreparedEvent => {
  const nothing = new Uint8Array();
  const event = ownEvent(tombstoneType, '{}');
  return { ...event, ...toStored({ isJson: false, data: nothing, metadata: nothing }, new Date()) };
};

/** The metadata that a stream has already, with the mark that hides all that it holds. */
const deletedMetadata = (text: string | null): string => {
  const known: unknown = text === null ? {} : JSON.parse(text);
  const kept = typeof known === 'object' && known !== null && !Array.isArray(known) ? known : {};
  return JSON.stringify({ ...kept, $tb: 0 }).replace(/"\$tb":0/, `"$tb":${deletedMark}`);
};

/** Deletes a stream that is as expected, and was not ended before. */
const whereExpected =
  (rows: Rows, work: (stream: string, state: StreamState) => AppendOutcome): DeleteStream =>
  (stream, expected) => {
    const state = streamState(rows, stream);
    return state.tombstoned ? { _tag: 'StreamDeleted' } : (unlike(state, expected) ?? work(stream, state));
  };

/** Hides all events of a stream; the next append brings it back, with its numbers going on. */
export const softDelete = (rows: Rows, { insert }: Appender): DeleteStream =>
  whereExpected(rows, (stream, { last, softDeleted }) => {
    if (softDeleted) return { _tag: 'Appended', revision: last, row: 0 };
    const metadata = metadataStreamOf(stream);
    const event = ownEvent(metadataType, deletedMetadata(metadataText(rows, stream)));
    return { _tag: 'Appended', revision: last, row: insert(metadata, rows.lastRevision(metadata) + 1, event) };
  });

/** Ends a stream for ever: nothing can be read from it or appended to it any more. */
export const tombstoneStream = (rows: Rows, { insert }: Appender): DeleteStream =>
  whereExpected(rows, (stream) => {
    const row = insert(stream, tombstoneRevision, tombstone());
    return { _tag: 'Appended', revision: tombstoneRevision, row };
  });
