import * as E from 'fp-ts/lib/Either.js';
import type { ExpectedRevision, RevisionConflict } from '../../../application/ports/event-store.js';

export interface ModelAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly ids: ReadonlyArray<string>;
}

/** As the port's answer, with the event's place in the log instead of a position. */
type ModelAnswer = E.Either<RevisionConflict, { readonly revision: number; readonly place: number }>;

interface AppendModel {
  readonly ids: () => ReadonlyArray<string>;
  readonly actual: (stream: string) => ExpectedRevision;
  readonly append: (append: ModelAppend) => ModelAnswer;
}

/** What an append means, without a database: the oracle of the property test. */
export const createAppendModel = (): AppendModel => {
  const log: Array<{ readonly stream: string; readonly id: string }> = [];
  const idsIn = (stream: string): ReadonlyArray<string> =>
    log.filter((event) => event.stream === stream).map(({ id }) => id);
  const actual = (stream: string): ExpectedRevision => {
    const { length } = idsIn(stream);
    return length === 0 ? 'no_stream' : length - 1;
  };
  const areNew = (ids: ReadonlyArray<string>): boolean =>
    new Set(ids).size === ids.length && !log.some(({ id }) => ids.includes(id));
  return {
    ids: () => log.map(({ id }) => id),
    actual,
    append: ({ stream, expected, ids }) => {
      const first = expected === 'no_stream' ? 0 : expected + 1;
      const stored = idsIn(stream).slice(first, first + ids.length);
      const same = stored.length === ids.length && stored.every((id, index) => id === ids[index]);
      if (!same && (expected !== actual(stream) || !areNew(ids)))
        return E.left({ _tag: 'RevisionConflict', stream, expected, actual: actual(stream) });
      if (!same) log.push(...ids.map((id) => ({ stream, id })));
      return E.right({ revision: first + ids.length - 1, place: log.findIndex(({ id }) => id === ids.at(-1)) });
    },
  };
};
