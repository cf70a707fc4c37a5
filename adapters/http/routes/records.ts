import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PointInHistory } from '../../../application/use-cases/read-history.js';
import type { RecordReplay } from '../../../projections/record-at.js';
import type { Listing, PageRequest } from '../../../projections/queries.js';
import type { Answer, Call } from '../endpoint.js';
import { pagedAnswer } from '../paged-answer.js';
import { pageRequest, pointInHistory } from '../query.js';
import { recordAt } from '../record-at.js';
import type { Refusal } from '../refusals.js';
import { type Service, asked } from '../service.js';

interface View {
  readonly record: unknown;
  readonly revision: number;
  /** The record as JSON, where it is at hand. */
  readonly json?: Uint8Array | null;
}

/** A record as an answer, with its revision as the ETag. */
const recordAnswer = ({ record, revision, json = null }: View): Answer => ({
  body: record,
  json,
  headers: { ETag: `"${revision}"` },
});

/**
 * The record that a request has just registered, made from the log: the read models may be behind, or stand still, and
 * what is durable is answered all the same.
 */
export const registeredRecord = (
  { app }: Service,
  stream: string,
  replay: RecordReplay<View>,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    recordAt(app.store, stream, { kind: 'now' }, replay),
    TE.chain((found) =>
      found === null ? TE.left<Refusal>({ _tag: 'NoSuchRevision' }) : TE.right(recordAnswer(found)),
    ),
  );

/** The record that a request has just changed: from the read models, or else, where they are behind, from the log. */
export const changedRecord = (
  service: Service,
  stream: string,
  current: TE.TaskEither<Refusal, View | null>,
  replay: RecordReplay<View>,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    asked(service, () => current),
    TE.orElse((): TE.TaskEither<Refusal, View | null> => TE.right(null)),
    TE.chain((view) => (view === null ? registeredRecord(service, stream, replay) : TE.right(recordAnswer(view)))),
  );

/** The record as it stands, or, with `?at=`, as it stood then. */
export const showRecord = (
  service: Service,
  stream: string,
  { query }: Call,
  current: () => TE.TaskEither<Refusal, View | null>,
  replay: () => RecordReplay<View>,
): TE.TaskEither<Refusal, Answer> => {
  const { at } = query;
  const view =
    at === undefined
      ? asked(service, current)
      : pipe(
          TE.fromEither<Refusal, PointInHistory>(pointInHistory(at)),
          TE.chainW((until) => recordAt(service.app.store, stream, until, replay())),
        );
  return pipe(
    view,
    TE.chain((found) =>
      found === null ? TE.left<Refusal>({ _tag: 'NoSuchRevision' }) : TE.right(recordAnswer(found)),
    ),
  );
};

/** What every list knows. */
export const pageParameters = ['limit', 'cursor'];

/** A page of a listing under the name of what it lists. */
export const listed = <Item>(
  service: Service,
  name: string,
  { query, seal }: Call,
  question: (page: PageRequest) => TE.TaskEither<Refusal, Listing<Item>>,
  show: (item: Item) => unknown,
  pageOf = pageRequest,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    TE.fromEither<Refusal, PageRequest>(pageOf(query)),
    TE.chain((page) =>
      pagedAnswer({ name, page, show, seal, read: (portion) => asked(service, () => question(portion)) }),
    ),
  );
