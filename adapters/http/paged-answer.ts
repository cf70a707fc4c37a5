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
  <Refused, Result>(
    { request, isGone }: ReadingRequest,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
  () =>
    queue.run<E.Either<Refused | Gone, Result>>(request.caller.account_id, () =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads a portion of an answer when it is the caller's turn; not if the client has disconnected meanwhile. */
export const readInTurn = unlessGone(reads);

/** Shorter transcripts need no turn. */
const minParts = 10;

/** Runs work that loads the transcript of an audio: one after the other if they are long. */
export const withTranscript = <Refused, Result>(
  call: ReadingRequest,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < minParts ? work : unlessGone(transcripts)(call, work);

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

/** The JSON of some items of a page, and the cursor of the next. */
interface Portion {
  readonly items: number;
  readonly text: string;
  readonly next_cursor: string | null;
}

const readPortion = <Item, Shown extends t.Mixed, Refused>(
  { of, read, show, call }: PagedList<Item, Shown, Refused>,
  page: PageRequest,
): TE.TaskEither<Refused | Gone, Portion> =>
  readInTurn(
    call,
    pipe(
      read(page),
      TE.map(({ items, next_cursor }) => ({
        items: items.length,
        text: items.map((item) => JSON.stringify(of.item.encode(show(item)))).join(','),
        next_cursor,
      })),
    ),
  );

/** The JSON of a page, a part for each portion that is read. Ends with the reason if one cannot be read. */
async function* partsOf<Item, Shown extends t.Mixed, Refused>(
  list: PagedList<Item, Shown, Refused>,
): AsyncGenerator<string, Refused | Gone | null> {
  const { of, page, call } = list;
  const end = (next: string | null): string => `],"next_cursor":${JSON.stringify(call.clientCursor(next))}}`;
  let [items, bytes, cursor, empty, begin] = [0, 0, page.cursor, -1, `{${JSON.stringify(of.list)}:[`];
  for (;;) {
    const read = await readPortion(list, { limit: page.limit - items, cursor })();
    if (E.isLeft(read)) return read.left;
    const { text, next_cursor } = read.right;
    const length = Buffer.byteLength(text);
    if (items > 0 && length > 0 && bytes + length > maxPageBytes) {
      yield end(cursor);
      return null;
    }
    const separated = items > 0 && length > 0 ? `,${text}` : text;
    [items, bytes, cursor] = [items + read.right.items, bytes + length, next_cursor];
    empty = read.right.items === 0 ? empty + 1 : 0;
    const isLast = cursor === null || items >= page.limit || empty > maxEmpty;
    yield `${begin}${separated}${isLast ? end(cursor) : ''}`;
    if (isLast) return null;
    begin = '';
  }
}

/** The parts that follow a text. Throws if one cannot be made. */
async function* continued<Refused extends Tagged>(
  text: string,
  parts: AsyncGenerator<string, Refused | null>,
): AsyncGenerator<string, void> {
  yield text;
  const failure = yield* parts;
  if (failure !== null) throw new Error(failure._tag);
}

/**
 * An answer that is made in parts: `text` if it is at most so many characters, otherwise `parts`, each made as the client
 * receives it. What cannot be made at the beginning is refused.
 */
export const inParts =
  <Refused extends Tagged>(
    parts: AsyncGenerator<string, Refused | null>,
    most: number,
  ): TE.TaskEither<Refused, { readonly text: string } | { readonly parts: AsyncIterable<string> }> =>
  async () => {
    for (let text = ''; ;) {
      const next = await parts.next();
      if (next.done === true) return next.value === null ? E.right({ text }) : E.left(next.value);
      if (text.length > most) return E.right({ parts: continued(`${text}${next.value}`, parts) });
      text += next.value;
    }
  };

/** A page is sent as it is read if it is longer than this, in characters. */
const short = 250_000;

/** A page of a list: at most as many items as requested, and about 8 MB. A long one is read as the client receives it. */
export const pagedAnswer = <Item, Shown extends t.Mixed, Refused extends Tagged>(
  of: Page<Shown>,
  call: PagedList<Item, Shown, Refused>['call'],
  page: PageRequest,
  read: PagedList<Item, Shown, Refused>['read'],
  show: PagedList<Item, Shown, Refused>['show'],
): TE.TaskEither<Refused | Gone, Answer<never>> =>
  pipe(
    inParts(partsOf({ of, call, page, read, show }), short),
    TE.map((made) => ({ body: null, ...('text' in made ? { json: Buffer.from(made.text) } : made) })),
  );
