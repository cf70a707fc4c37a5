import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PointInHistory } from '../../../application/use-cases/read-history.js';
import type { AccountId } from '../../../domain/kernel/ids.js';
import type { Listing, PageRequest } from '../../../projections/queries.js';
import type { Answer, Call } from '../endpoint.js';
import { pagedAnswer } from '../paged-answer.js';
import { pageRequest, pointInHistory } from '../query.js';
import { readInPlace } from '../reading-places.js';
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

/** Where the answers about a record come from. */
export interface RecordSource {
  /** From the read models. */
  readonly current: () => TE.TaskEither<Refusal, View | null>;
  /** From the log, as it stood at a point; null when it had not begun, or does not reach that revision. */
  readonly at: (until: PointInHistory) => TE.TaskEither<Refusal, View | null>;
}

const answered = (found: View | null): TE.TaskEither<Refusal, Answer> =>
  found === null ? TE.left<Refusal>({ _tag: 'NoSuchRevision' }) : TE.right(recordAnswer(found));

/**
 * The record that a request has just registered, made from the log: the read models may be behind, or stand still, and
 * what is durable is answered all the same.
 */
export const registeredRecord = ({ at }: RecordSource): TE.TaskEither<Refusal, Answer> =>
  pipe(at({ kind: 'now' }), TE.chain(answered));

/** The record that a request has just changed: from the read models, or else, where they are behind, from the log. */
export const changedRecord = (service: Service, source: RecordSource): TE.TaskEither<Refusal, Answer> =>
  pipe(
    asked(service, source.current),
    TE.orElse((): TE.TaskEither<Refusal, View | null> => TE.right(null)),
    TE.chain((view) => (view === null ? registeredRecord(source) : answered(view))),
  );

/** The record as it stands, or, with `?at=`, as it stood then. */
export const showRecord = (service: Service, call: Call, source: RecordSource): TE.TaskEither<Refusal, Answer> => {
  const { at } = call.query;
  return pipe(
    at === undefined
      ? asked(service, source.current)
      : pipe(
          TE.fromEither<Refusal, PointInHistory>(pointInHistory(at)),
          TE.chain((until) => readInPlace(call, source.at(until))),
        ),
    TE.chain(answered),
  );
};

/** Whose records a caller's lists show; null: everybody's. */
export const ownerOfList = ({ request: { caller } }: Call): AccountId | null =>
  caller.admin ? null : caller.account_id;

/** A page of a listing under the name of what it lists. */
export const listed = <Item>(
  service: Service,
  name: string,
  call: Call,
  question: (page: PageRequest) => TE.TaskEither<Refusal, Listing<Item>>,
  show: (item: Item) => unknown,
  pageOf = pageRequest,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    TE.fromEither<Refusal, PageRequest>(pageOf(call.query)),
    TE.chain((page) =>
      pagedAnswer({ name, page, show, call, read: (portion) => asked(service, () => question(portion)) }),
    ),
  );
