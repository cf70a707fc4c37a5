import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { InstanceId } from '../../domain/kernel/ids.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import type { Uses } from '../application.js';
import type { RequestContext } from '../commands/context.js';
import type { StoredAnswer } from './stored-answer.js';
import { type ClaimedWrite, type KeyRefusal, type WriteKey, writeKey } from './write-key.js';

/** The answer of an earlier request, or a new one. */
export type Served<Answer> =
  | { readonly kind: 'stored'; readonly answer: StoredAnswer }
  | { readonly kind: 'new'; readonly answer: Answer };

interface Tagged {
  readonly _tag: string;
}

/** A write that is served once for its key. */
export interface WriteOnce<Answer, Refusal> {
  readonly run: (request: RequestContext) => TE.TaskEither<Refusal, Answer>;
  /** The answer as it is kept; null where it is too long for that: a repetition finds what was written, and answers anew. */
  readonly stored: (answer: Answer) => StoredAnswer | null;
  /**
   * For an answer that holds a secret, which cannot be told again: whether a write that broke off has made what it was
   * to make, by its id. Null for other answers, which are made again.
   */
  readonly made: ((id: string) => TE.TaskEither<Refusal, boolean>) | null;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** The answer of the same request, where it is known. */
  readonly find: WriteKey['answer'];
  /**
   * Serves the request once (contract, Idempotency-Key): a repetition gets the first one's answer, or waits for it. A
   * write that a crash cut off is carried out again with the same ids, so that what it had written already is found
   * and not written twice.
   */
  readonly once: <Answer, Refusal extends Tagged>(
    write: WriteOnce<Answer, Refusal>,
  ) => TE.TaskEither<Refusal | KeyRefusal, Served<Answer>>;
}

/** `medium`: what the request's path names, if it names any. */
export type KeyedWrites = (
  request: RequestContext,
  key: string,
  digest: string,
  medium?: Subject | null,
) => KeyedRequest;

const pause = T.delay(250)(T.of(undefined));

/** Whether it is not known what became of a write. */
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

/** A secret that a write has made before it broke off cannot be told: what it made is named. */
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

/** Takes the key and carries the write out, from its beginning where nothing of a secret was made. */
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
  /** Ends with the write that is under way in this process. */
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
    return { find: key.answer, once };
  };
};
