import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Listing, PageRequest } from '../../projections/queries.js';
import type { Answer } from './endpoint.js';
import { jsonPieces } from './json-pieces.js';
import type { Refusal } from './refusals.js';

/** A page ends before it is longer, in bytes; one item is sent whatever its length. */
const largestPage = 8_000_000;

/** What a list is made of: read a portion at a time, so that a page is never in memory as a whole. */
interface PagedList<Item> {
  /** The name of the list in the answer. */
  readonly name: string;
  readonly page: PageRequest;
  /** The next items: as many as asked for, or fewer where they are large. */
  readonly read: (page: PageRequest) => TE.TaskEither<Refusal, Listing<Item>>;
  readonly show: (item: Item) => unknown;
  /** The cursor as the client is given it. */
  readonly seal: (cursor: string | null) => string | null;
}

/** The JSON of items; other work has its turn within a large one. */
const textsOf = async (shown: ReadonlyArray<unknown>): Promise<ReadonlyArray<string>> => {
  const texts: string[] = [];
  for (const item of shown) {
    let pieces = 0;
    for (const piece of jsonPieces(item)) {
      texts.push(pieces === 0 && texts.length > 0 ? `,${piece}` : piece);
      pieces += 1;
      // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
      if (pieces > 1) await setImmediate();
    }
  }
  return texts;
};

const lengthOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);

async function* inPortions<Item>(
  { name, page, read, show, seal }: PagedList<Item>,
  first: Listing<Item>,
): AsyncGenerator<string, void> {
  yield `{${JSON.stringify(name)}:[`;
  let [items, bytes, cursor] = [0, 0, page.cursor];
  for (let portion = first; ;) {
    const texts = await textsOf(portion.items.map(show));
    if (items > 0 && texts.length > 0 && bytes + lengthOf(texts) > largestPage) break;
    if (items > 0 && texts.length > 0) yield ',';
    yield* texts;
    [items, bytes, cursor] = [items + portion.items.length, bytes + lengthOf(texts), portion.next_cursor];
    if (cursor === null || items >= page.limit) break;
    await setImmediate();
    const next = await read({ limit: page.limit - items, cursor })();
    if (E.isLeft(next)) throw new Error(next.left._tag);
    portion = next.right;
  }
  yield `],"next_cursor":${JSON.stringify(seal(cursor))}}`;
}

/**
 * A page of a list: at most as many items as asked for, and about 8 MB of them. The first portion is read before the answer
 * begins; where it is not all, the rest follows as the client takes it.
 */
export const pagedAnswer = <Item>(list: PagedList<Item>): TE.TaskEither<Refusal, Answer> =>
  pipe(
    list.read(list.page),
    TE.map((first): Answer => {
      const { items, next_cursor } = first;
      return next_cursor === null || items.length >= list.page.limit
        ? { body: { [list.name]: items.map(list.show), next_cursor: list.seal(next_cursor) } }
        : { body: null, parts: inPortions(list, first) };
    }),
  );
