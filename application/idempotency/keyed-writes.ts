import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { InstanceId } from '../../domain/kernel/ids.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import type { Uses } from '../application.js';
import type { RequestContext } from '../commands/context.js';
import type { StoredAnswer } from './stored-answer.js';
import { type ClaimedWrite, type KeyRefusal, type WriteKey, writeKey } from './write-key.js';

/** The stored answer of an earlier request, or a new one. */
export type Served<Answer> =
  | { readonly kind: 'stored'; readonly answer: StoredAnswer }
  | { readonly kind: 'new'; readonly answer: Answer };

interface Tagged {
  readonly _tag: string;
}

/** A write that takes effect once per idempotency key. */
export interface WriteOnce<Answer, Refusal> {
  readonly run: (request: RequestContext) => TE.TaskEither<Refusal, Answer>;
  /** The answer in stored form; null if it is too long. A repetition then finds what was written and creates the answer again. */
  readonly stored: (answer: Answer) => StoredAnswer | null;
  /**
   * For an answer that contains a secret, which cannot be repeated: whether an interrupted write has created the thing
   * with this id. Null for other answers, which are created again.
   */
  readonly made: ((id: string) => TE.TaskEither<Refusal, boolean>) | null;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** The stored answer of the same request, if any. */
  readonly find: WriteKey['answer'];
  /** Whether the same request was begun before, and was not refused. */
  readonly isBegun: WriteKey['isBegun'];
  /**
   * Serves the request once (contract, Idempotency-Key): a repetition gets the first answer, or waits for it. A write that
   * a crash interrupted is run again with the same ids, so that what it had already written is not written twice.
   */
  readonly once: <Answer, Refusal extends Tagged>(
    write: WriteOnce<Answer, Refusal>,
  ) => TE.TaskEither<Refusal | KeyRefusal, Served<Answer>>;
}

/** `medium`: the video or audio in the request's path, if any. */
export type KeyedWrites = (
  request: RequestContext,
  key: string,
  digest: string,
  medium?: Subject | null,
) => KeyedRequest;

const pause = T.delay(250)(T.of(undefined));

/** Whether the outcome of a write is unknown. */
const isUnclear = ({ _tag }: Tagged): boolean =>
  _tag === 'StoreUnavailable' || _tag === 'Contention' || _tag === 'UnreadableEvent';

const carryOut = <Answer, Refusal extends Tagged>(
  key: WriteKey,
  request: RequestContext,
  { run, stored }: WriteOnce<Answer, Refusal>,
  claimed: ClaimedWrite,
): TE.TaskEither<Refusal, Served<Answer>> =>
  pipe(
    run({ ...request, at: claimed.at, write: claimed }),
    TE.orElseFirstTaskK((refusal) => key.release(claimed, isUnclear(refusal))),
    TE.chainFirstTaskK((answer) => {
      const keeping = stored(answer);
      return keeping === null ? key.release(claimed, true) : key.keep(claimed, keeping);
    }),
    TE.map((answer): Served<Answer> => ({ kind: 'new', answer })),
  );

/** An interrupted write created a secret, which cannot be shown again: answers with the id of the created thing. */
const nameMade = <Answer, Refusal extends Tagged>(
  key: WriteKey,
  claimed: ClaimedWrite,
): TE.TaskEither<Refusal, Served<Answer>> => {
  const answer: StoredAnswer = { body: 'null', headers: {}, secret_of: claimed.made_id };
  return pipe(
    TE.fromTask(key.keep(claimed, answer)),
    TE.map(() => ({ kind: 'stored', answer })),
  );
};

/** Claims the key and runs the write, unless an interrupted one has already created a secret. */
const claimAndCarryOut = <Answer, Refusal extends Tagged>(
  key: WriteKey,
  request: RequestContext,
  write: WriteOnce<Answer, Refusal>,
): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> =>
  pipe(
    key.claim,
    TE.chainW((claimed): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
      if (write.made === null || !claimed.taken_over) return carryOut(key, request, write, claimed);
      return pipe(
        write.made(claimed.made_id),
        TE.chainW((made): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> =>
          made
            ? nameMade(key, claimed)
            : pipe(
                TE.fromTask(key.release(claimed, false)),
                TE.chain(() => claimAndCarryOut(key, request, write)),
              ),
        ),
      );
    }),
  );

export const keyedWrites = (
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log' | 'store' | 'videos'>,
  instance_id: InstanceId,
): KeyedWrites => {
  const worker = { instance_id, process_id: app.ids.random() };
  /** The running writes of this process, by key. */
  const underWay = new Map<string, Promise<unknown>>();

  const alone =
    <Result>(id: string, work: T.Task<Result>): T.Task<Result> =>
    () => {
      const working = work().finally(() => underWay.delete(id));
      underWay.set(id, working);
      return working;
    };

  return (request, text, digest, medium = null) => {
    const key = writeKey(app, worker, request, text, digest, medium);
    const once = <Answer, Refusal extends Tagged>(
      write: WriteOnce<Answer, Refusal>,
    ): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
      const afterwards = pipe(
        TE.fromTask(async () => {
          await (underWay.get(key.id) ?? pause());
        }),
        TE.chain(() => once(write)),
      );
      return pipe(
        key.answer,
        TE.chainW((answer): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
          if (answer !== null) return TE.right({ kind: 'stored', answer });
          return underWay.has(key.id)
            ? afterwards
            : pipe(
                alone(key.id, claimAndCarryOut(key, request, write)),
                TE.orElse((refusal) => (refusal._tag === 'WriteHeld' ? afterwards : TE.left(refusal))),
              );
        }),
      );
    };
    return { find: key.answer, isBegun: key.isBegun, once };
  };
};
