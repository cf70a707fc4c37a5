import { MalformedAnswerError } from './errors.js';

/** A page of a list. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  /** Null at the end of the list, and only there: a page may be empty before it. */
  readonly next_cursor: string | null;
}

type Fetched<Item> = Promise<Page<Item>>;

/**
 * A list that is fetched page by page as it is read, with `for await`. Readers that go over the same pager at the same
 * time share its pages; one that falls behind by more than a page fetches its own. Once all have ended, the next reader
 * gets the list as it is then.
 */
export class Pager<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | null) => Fetched<Item>;
  readonly #first: string | null;
  /** The newest page, while anybody reads. */
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
      // A failure is the answer to those who wait now; who asks later tries again.
      if (this.#shared === shared) this.#shared = null;
    });
    return page;
  }

  /** The list page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    this.#readers += 1;
    try {
      let cursor = this.#first;
      for (;;) {
        const page = await this.#page(cursor);
        yield page;
        if (page.next_cursor === null) return;
        if (page.next_cursor === cursor) throw new MalformedAnswerError('a page names itself as the next one');
        cursor = page.next_cursor;
      }
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#shared = null;
    }
  }

  /** The items one after the other. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All items, or the first so many. */
  async toArray(most: number = Infinity): Promise<Item[]> {
    const items: Item[] = [];
    if (most > 0)
      for await (const item of this) {
        items.push(item);
        if (items.length >= most) break;
      }
    return items;
  }
}
