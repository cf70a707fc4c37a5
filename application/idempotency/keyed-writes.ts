import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { InstanceId } from '../../domain/kernel/ids.js';
import type { Subject } from '../../domain/kernel/recorded-event.js';
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
   * Asks what an interrupted write has come to by the id of what it creates. Absent: it is run again with the same ids, so
   * that what it had already written is not written twice.
   */
  readonly interrupted?: ((id: string) => TE.TaskEither<Refusal, Interrupted>) | undefined;
  /** Seconds after which another instance may take the write over; 30 if absent. */
  readonly abandoned_after_seconds?: number | undefined;
}

/**
 * What becomes of an interrupted write: it is run again with the same ids, or as if there had been none; or it has
 * created a secret, which cannot be shown again.
 */
export type Interrupted = 'again' | 'start_over' | 'secret_made';

/** A request with an idempotency key. */
export interface KeyedRequest<Refusal extends Tagged> {
  /** The stored answer of the same request, if any. */
  readonly find: WriteKey['answer'];
  /** Whether the same request was begun before, and was not refused. */
  readonly isBegun: WriteKey['isBegun'];
  /**
   * Serves the request once (contract, Idempotency-Key): a repetition gets the first answer, or waits for it; one that
   * waits in the same process gets the first refusal too.
   */
  readonly once: <Answer>(write: WriteOnce<Answer, Refusal>) => TE.TaskEither<Refusal | KeyRefusal, Served<Answer>>;
}

/** `medium`: the video or audio in the request's path, if any. */
export type KeyedWrites<Refusal extends Tagged> = (
  request: RequestContext,
  key: string,
  digest: string,
  medium?: Subject | null,
) => KeyedRequest<Refusal>;

const pause = T.delay(250)(T.of(null));

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

/** Claims the key and runs the write, or finishes an interrupted one. */
const claimAndCarryOut = <Answer, Refusal extends Tagged>(
  key: WriteKey,
  request: RequestContext,
  write: WriteOnce<Answer, Refusal>,
): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
  const finish = (claimed: ClaimedWrite, state: Interrupted): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
    switch (state) {
      case 'again':
        return carryOut(key, request, write, claimed);
      case 'secret_made':
        return nameMade(key, claimed);
      case 'start_over':
        return pipe(
          TE.fromTask(key.release(claimed, false)),
          TE.chain(() => claimAndCarryOut(key, request, write)),
        );
    }
  };
  return pipe(
    key.claim(write.abandoned_after_seconds),
    TE.chainW((claimed) =>
      pipe(
        write.interrupted !== undefined && claimed.taken_over
          ? write.interrupted(claimed.made_id)
          : TE.right<Refusal, Interrupted>('again'),
        TE.orElseFirstTaskK(() => key.release(claimed, true)),
        TE.chainW((state) => finish(claimed, state)),
      ),
    ),
  );
};

/** Whether another process has taken the write over: its answer is waited for. */
const isTakenOver = ({ _tag }: Tagged): boolean => _tag === 'WriteHeld' || _tag === 'RunTakenOver';

export const keyedWrites = <Refusal extends Tagged>(
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log' | 'store' | 'videos'>,
  instance_id: InstanceId,
): KeyedWrites<Refusal> => {
  const worker = { instance_id, process_id: app.ids.random() };
  /** The running writes of this process, by key, with the refusals that they end in. */
  const underWay = new Map<
    string,
    { readonly digest: string; readonly refusal: Promise<Refusal | KeyRefusal | null> }
  >();

  return (request, text, digest, medium = null) => {
    const key = writeKey(app, worker, request, text, digest, medium);
    const alone =
      <Answer>(work: TE.TaskEither<Refusal | KeyRefusal, Answer>): typeof work =>
      () => {
        const working = work().finally(() => underWay.delete(key.id));
        const refusal = working.then(
          E.match(identity, () => null),
          () => null,
        );
        underWay.set(key.id, { digest, refusal });
        return working;
      };
    /** Waits for the running write; the refusal of an equal one is that of this request too. */
    const waited = async (): Promise<E.Either<Refusal | KeyRefusal, void>> => {
      const first = underWay.get(key.id);
      const refusal = first === undefined ? await pause() : await first.refusal;
      const isShared = refusal && first?.digest === digest && !isUnclear(refusal) && !isTakenOver(refusal);
      return isShared ? E.left(refusal) : E.right(undefined);
    };
    const once = <Answer>(write: WriteOnce<Answer, Refusal>): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
      const afterwards = pipe(
        waited,
        TE.chain(() => once(write)),
      );
      return pipe(
        key.answer,
        TE.chainW((answer): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> => {
          if (answer !== null) return TE.right({ kind: 'stored', answer });
          return underWay.has(key.id)
            ? afterwards
            : pipe(
                alone(claimAndCarryOut(key, request, write)),
                TE.orElse((refusal) => (isTakenOver(refusal) ? afterwards : TE.left(refusal))),
              );
        }),
      );
    };
    return { find: key.answer, isBegun: key.isBegun, once };
  };
};
