import { MalformedAnswerError } from './errors.js';

/** A page of a list. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  /** Null only at the end of the list: a page before the end may be empty. */
  readonly next_cursor: string | null;
}

/** A list that is fetched page by page while it is iterated with `for await`; each iteration fetches it anew. */
export class Pager<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | null) => Promise<Page<Item>>;
  readonly #first: string | null;

  constructor(fetch: (cursor: string | null) => Promise<Page<Item>>, first: string | null) {
    this.#fetch = fetch;
    this.#first = first;
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#first;
    for (;;) {
      const page = await this.#fetch(cursor);
      yield page;
      if (page.next_cursor === null) return;
      if (page.next_cursor === cursor) throw new MalformedAnswerError('the next_cursor of a page is its own cursor');
      cursor = page.next_cursor;
    }
  }

  /** Iterates over the items. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All items, or at most `maxItems`. */
  async toArray(maxItems: number = Infinity): Promise<Item[]> {
    const items: Item[] = [];
    if (maxItems > 0)
      for await (const item of this) {
        items.push(item);
        if (items.length >= maxItems) break;
      }
    return items;
  }
}
