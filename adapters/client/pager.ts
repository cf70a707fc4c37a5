import { MalformedAnswerError } from './errors.js';

/** A page of a list. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  /** Null only at the end of the list: a page before the end may be empty. */
  readonly next_cursor: string | null;
}

type Fetched<Item> = Promise<Page<Item>>;

/**
 * A list that is fetched page by page while it is iterated with `for await`. Concurrent iterations share pages; one that
 * falls behind by more than a page fetches its own. When all have ended, the next iteration fetches the list anew.
 */
export class Pager<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | null) => Fetched<Item>;
  readonly #first: string | null;
  /** The newest page, while there are iterations. */
  #shared: { readonly cursor: string | null; readonly page: Fetched<Item> } | null = null;
  #readers = 0;

  constructor(fetch: (cursor: string | null) => Fetched<Item>, first: string | null) {
    this.#fetch = fetch;
    this.#first = first;
  }

  #page(cursor: string | null): Fetched<Item> {
    if (this.#shared?.cursor === cursor) return this.#shared.page;
    const page = this.#fetch(cursor);
    const shared = { cursor, page };
    this.#shared = shared;
    page.catch(() => {
      // A failure rejects those who wait for it now; later requests try again.
      if (this.#shared === shared) this.#shared = null;
    });
    return page;
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    this.#readers += 1;
    try {
      let cursor = this.#first;
      for (;;) {
        const page = await this.#page(cursor);
        yield page;
        if (page.next_cursor === null) return;
        if (page.next_cursor === cursor) throw new MalformedAnswerError('the next_cursor of a page is its own cursor');
        cursor = page.next_cursor;
      }
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#shared = null;
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
