import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type {
  InvalidCursor,
  Listing,
  PageRequest,
  Queries,
  ReadModelBehind,
  ReadModelsUnavailable,
} from '../../projections/queries.js';
import { readCursor, toCursor } from './cursor.js';
import type { Numbered } from './found-rows.js';
import type { Reader } from './reader.js';

/** Where the answers come from. */
export interface Source {
  /** Asks the rows as they are committed, once it is known that they are of this log. */
  readonly ask: <A>(question: (reader: Reader) => A) => Promise<E.Either<ReadModelsUnavailable, A>>;
  readonly reached: (position: Position, timeout_ms: number) => Promise<E.Either<ReadModelBehind, void>>;
}

const mostItems = 1_000;

const toListing = <Row>(found: ReadonlyArray<Numbered<Row>>, limit: number): Listing<Row> => {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ row }) => row),
    next_cursor: found.length > limit && last !== undefined ? toCursor(last.number) : null,
  };
};

/** The port over a source. */
export const createQueries = ({ ask, reached }: Source): Queries => {
  const list =
    <Row>(
      { limit, cursor }: PageRequest,
      find: (reader: Reader, below: number, limit: number) => ReadonlyArray<Numbered<Row>>,
    ): TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Row>> =>
    async () => {
      const below = readCursor(cursor);
      if (E.isLeft(below)) return below;
      const items = Math.min(Math.max(1, Math.trunc(limit)), mostItems);
      return ask((reader) => toListing(find(reader, below.right, items + 1), items));
    };
  return {
    reached: (position, timeout_ms) => () => reached(position, timeout_ms),
    video: (video_id) => () => ask((reader) => reader.video(video_id)),
    videos: (owner, page) => list(page, (reader, below, limit) => reader.videos(owner, below, limit)),
    audio: (audio_id) => () => ask((reader) => reader.audio(audio_id)),
    audios: (owner, page) => list(page, (reader, below, limit) => reader.audios(owner, below, limit)),
    matchRuns: (video_id) => () => ask((reader) => reader.matchRuns(video_id)),
    lateWrites: (page) => list(page, (reader, below, limit) => reader.lateWrites(below, limit)),
    account: (account_id) => () => ask((reader) => reader.account(account_id)),
    keysOf: (account_id) => () => ask((reader) => reader.keysOf(account_id)),
    keyByHash: (key_hash) => () => ask((reader) => reader.keyByHash(key_hash)),
    hasAdminKey: () => () => ask((reader) => reader.hasAdminKey()),
    creditAccount: (account_id, now) => () => ask((reader) => reader.creditAccount(account_id, now)),
    ledger: (account_id, range, page) =>
      list(page, (reader, below, limit) => reader.ledger(account_id, range, below, limit)),
  };
};
