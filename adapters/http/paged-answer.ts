import type { Page } from './codecs/values.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { Listing, PageRequest } from '../../projections/queries.js';
import type { Answer, Call, IncomingRequest } from './endpoint.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import { type Turns, takingTurns } from '../runtime/turns.js';
import type { Refusal } from './refusals/refusals.js';

/** For reading the content of large answers, a portion at a time. */
const reads = takingTurns(4);
/** For long transcripts, each of which is in memory for as long as a model works on it. */
const transcripts = takingTurns(1);

/** The client has disconnected, so nobody receives this answer. */
export type Gone = Extract<Refusal, { readonly _tag: 'BodyCutOff' }>;

/** A request that reads. */
export type Reading = Pick<IncomingRequest, 'request' | 'isGone'>;

const unlessGone =
  (turns: Turns) =>
  <Refused, Result>(
    { request, isGone }: Reading,
    read: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | Gone, Result> =>
  () =>
    turns.run<E.Either<Refused | Gone, Result>>(request.caller.account_id, () =>
      isGone() ? Promise.resolve(E.left<Gone>({ _tag: 'BodyCutOff' })) : read(),
    );

/** Reads a portion of an answer when it is the caller's turn; not if the client has disconnected meanwhile. */
export const readInTurn = unlessGone(reads);

/** Shorter transcripts need no turn. */
const minParts = 10;

/** Runs work that loads the transcript of an audio: one after the other if they are long. */
export const withTranscript = <Refused, Result>(
  call: Reading,
  { transcript }: Pick<RegisteredAudio, 'transcript'>,
  work: TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | Gone, Result> =>
  transcript === null || transcript.parts < minParts ? work : unlessGone(transcripts)(call, work);

/** A page ends after this many empty portions: finding the next item takes long, and the client can continue with the cursor. */
const maxEmpty = 50;

interface Tagged {
  readonly _tag: string;
}

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

async function* inPortions<Item, Shown extends t.Mixed, Refused extends Tagged>(
  list: PagedList<Item, Shown, Refused>,
  first: Portion,
): AsyncGenerator<string, void> {
  const { of, page, call } = list;
  yield `{${JSON.stringify(of.list)}:[`;
  let [items, bytes, cursor, empty] = [0, 0, page.cursor, 0];
  for (let portion = first; ;) {
    const length = Buffer.byteLength(portion.text);
    if (items > 0 && length > 0 && bytes + length > maxPageBytes) break;
    yield items > 0 && length > 0 ? `,${portion.text}` : portion.text;
    [items, bytes, cursor] = [items + portion.items, bytes + length, portion.next_cursor];
    empty = portion.items === 0 ? empty + 1 : 0;
    if (cursor === null || items >= page.limit || empty > maxEmpty) break;
    const next = await readPortion(list, { limit: page.limit - items, cursor })();
    if (E.isLeft(next)) throw new Error(next.left._tag);
    portion = next.right;
  }
  yield `],"next_cursor":${JSON.stringify(call.clientCursor(cursor))}}`;
}

/** A page is sent as it is read if it is longer than this; a shorter one is read before the answer begins, in characters. */
const short = 250_000;

/** Reads more until the page is complete or no longer short. */
const readShort = <Item, Shown extends t.Mixed, Refused extends Tagged>(
  list: PagedList<Item, Shown, Refused>,
  { items, text, next_cursor }: Portion,
  empty: number,
): TE.TaskEither<Refused | Gone, Portion> =>
  next_cursor === null || items >= list.page.limit || text.length > short || empty > maxEmpty
    ? TE.right({ items, text, next_cursor })
    : pipe(
        readPortion(list, { limit: list.page.limit - items, cursor: next_cursor }),
        TE.chain((next) =>
          readShort(
            list,
            {
              items: items + next.items,
              text: [text, next.text].filter((part) => part !== '').join(','),
              next_cursor: next.next_cursor,
            },
            next.items === 0 ? empty + 1 : 0,
          ),
        ),
      );

/** A page of a list: at most as many items as requested, and about 8 MB. A long one is read as the client receives it. */
export const pagedAnswer = <Item, Shown extends t.Mixed, Refused extends Tagged>(
  list: PagedList<Item, Shown, Refused>,
): TE.TaskEither<Refused | Gone, Answer<never>> =>
  pipe(
    readPortion(list, list.page),
    TE.chain((first) => readShort(list, first, 0)),
    TE.map((first): Answer<never> => {
      const { items, text, next_cursor } = first;
      if (next_cursor !== null && items < list.page.limit && text.length > short)
        return { body: null, parts: inPortions(list, first) };
      const cursor = JSON.stringify(list.call.clientCursor(next_cursor));
      return { body: null, json: Buffer.from(`{${JSON.stringify(list.of.list)}:[${text}],"next_cursor":${cursor}}`) };
    }),
  );
