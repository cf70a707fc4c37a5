import type { Tagged } from '../../domain/kernel/decider.js';
import type { Page } from './codecs/values.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Listing, PageRequest } from '../../projections/queries.js';
import type { Answer, Call, IncomingRequest } from './endpoint.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import { type FairQueue, fairQueue } from '../runtime/fair-queue.js';
import type { Refusal } from './refusals/refusals.js';
import type { EventStore, StoreUnavailable } from '../../application/ports/event-store.js';

/** For reading the content of large answers, a portion at a time. */
const reads = fairQueue(4);
/** For long transcripts, each of which is in memory for as long as a model works on it. */
const transcripts = fairQueue(1);

/** The client has disconnected, so nobody receives this answer. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

/** A request that reads. */
export type ReadingRequest = Pick<IncomingRequest, 'request' | 'isGone'>;

const unlessGone =
  (queue: FairQueue) =>
  ({ request, isGone }: ReadingRequest) =>
  <Refused, Result>(read: TE.TaskEither<Refused, Result>): TE.TaskEither<Refused | Gone, Result> =>
  () =>
    queue.run<E.Either<Refused | Gone, Result>>(request.caller.account_id, () =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads a portion of an answer when it is the caller's turn; not if the client has disconnected meanwhile. */
export const readInTurn = unlessGone(reads);

/** The log, of which a portion is read when it is the caller's turn. */
export const logInTurn = (call: ReadingRequest & Pick<Call, 'service'>): Pick<EventStore, 'read'> => ({
  read: (...wanted) =>
    pipe(
      readInTurn(call)(call.service.app.store.read(...wanted)),
      TE.mapLeft((failure): StoreUnavailable =>
        failure._tag === 'BodyCutOff'
          ? { _tag: 'StoreUnavailable', reason: 'nobody waits for the answer any more' }
          : failure,
      ),
    ),
});

/** Shorter transcripts need no turn. */
const minParts = 10;

/** Runs work that loads the transcript of an audio: one after the other if they are long. */
export const withTranscript = <Refused, Result>(
  call: ReadingRequest,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < minParts ? work : unlessGone(transcripts)(call)(work);

/** A page ends after this many empty portions: finding the next item takes long, and the client can continue with the cursor. */
const maxEmpty = 50;

/** The maximum length of a page in bytes. A single item may be longer. */
const maxPageBytes = 8_000_000;

/** A list that is read in portions, so that a page is never in memory as a whole. */
interface PagedList<Item, Shown extends t.Mixed, Refused> {
  /** Describes and encodes the answer. */
  readonly of: Page<Shown>;
  readonly page: PageRequest;
  /** The next items: as many as requested, or fewer if they are large. */
  readonly read: (page: PageRequest) => TE.TaskEither<Refused, Listing<Item>>;
  readonly show: (item: Item) => t.TypeOf<Shown>;
  readonly call: Pick<Call, 'clientCursor' | 'request' | 'isGone'>;
}

const readPortion = <Item, Shown extends t.Mixed, Refused>(
  { of, read, show, call }: PagedList<Item, Shown, Refused>,
  page: PageRequest,
) =>
  readInTurn(call)(
    pipe(
      read(page),
      TE.map(({ items, next_cursor }) => ({
        items: items.length,
        json: Buffer.from(items.map((item) => JSON.stringify(of.item.encode(show(item)))).join(',')),
        next_cursor,
      })),
    ),
  );

const comma = Buffer.from(',');

/** The JSON of a page, in parts. Ends with the reason if one cannot be read. */
async function* partsOf<Item, Shown extends t.Mixed, Refused>(
  list: PagedList<Item, Shown, Refused>,
): AsyncGenerator<Uint8Array, Refused | Gone | null> {
  const { of, page, call } = list;
  let [items, bytes, cursor, empty] = [0, 0, page.cursor, 0];
  yield Buffer.from(`{${JSON.stringify(of.list)}:[`);
  do {
    const read = await readPortion(list, { limit: page.limit - items, cursor })();
    if (E.isLeft(read)) return read.left;
    const { items: more, json, next_cursor } = read.right;
    const isNext = items > 0 && more > 0;
    if (isNext && bytes + json.length > maxPageBytes) break;
    if (isNext) yield comma;
    yield json;
    [items, bytes, cursor, empty] = [items + more, bytes + json.length, next_cursor, more === 0 ? empty + 1 : 0];
  } while (cursor !== null && items < page.limit && empty <= maxEmpty);
  yield Buffer.from(`],"next_cursor":${JSON.stringify(call.clientCursor(cursor))}}`);
  return null;
}

/** These parts and those that follow. Throws if one cannot be made. */
async function* continued<Refused extends Tagged>(
  made: Uint8Array[],
  parts: AsyncGenerator<Uint8Array, Refused | null>,
): AsyncGenerator<Uint8Array, void> {
  // Removed from the list, so that they are not kept in memory while the client receives the others.
  yield* made.splice(0);
  const failure = yield* parts;
  if (failure !== null) throw new Error(failure._tag);
}

/**
 * An answer that is made in parts: as a whole if it is at most `most` bytes long, otherwise `parts`, each made as the client
 * receives it. What cannot be made at the beginning is refused.
 */
export const inParts =
  <Refused extends Tagged>(
    parts: AsyncGenerator<Uint8Array, Refused | null>,
    most: number,
  ): TE.TaskEither<Refused, Pick<Answer<never>, 'body' | 'json' | 'parts'>> =>
  async () => {
    const made: Uint8Array[] = [];
    for (let bytes = 0; bytes <= most; bytes += made.at(-1)?.length ?? 0) {
      const next = await parts.next();
      if (next.done !== true) made.push(next.value);
      else return next.value === null ? E.right({ body: null, json: Buffer.concat(made) }) : E.left(next.value);
    }
    return E.right({ body: null, parts: continued(made, parts) });
  };

/** A page is sent as it is read if it is longer than this, in bytes. */
const short = 250_000;

/** A page of a list: at most as many items as requested, and about 8 MB. A long one is read as the client receives it. */
export const pagedAnswer = <Item, Shown extends t.Mixed, Refused extends Tagged>(
  of: Page<Shown>,
  call: PagedList<Item, Shown, Refused>['call'],
  page: PageRequest,
  read: PagedList<Item, Shown, Refused>['read'],
  show: PagedList<Item, Shown, Refused>['show'],
): TE.TaskEither<Refused | Gone, Answer<never>> => inParts(partsOf({ of, call, page, read, show }), short);
