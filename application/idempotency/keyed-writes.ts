import type { Tagged } from '../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { identity } from 'fp-ts/lib/function.js';
import type { InstanceId } from '../../domain/kernel/ids.js';
import type { Subject } from '../../domain/kernel/recorded-event.js';
import type { Uses } from '../application.js';
import type { RequestContext } from '../commands/context.js';
import { type KeyRefusal, type StoredAnswer, type WriteKey, writeKey } from './write-key.js';

/** The stored answer of an earlier request, or a new one. */
export type Served<Answer> =
  | { readonly kind: 'stored'; readonly answer: StoredAnswer }
  | { readonly kind: 'new'; readonly answer: Answer };

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

/** Whether another process has taken the write over: its answer is waited for. */
const isTakenOver = ({ _tag }: Tagged): boolean => _tag === 'WriteHeld' || _tag === 'RunTakenOver';

/** Claims the key and runs the write, or finishes an interrupted one. */
const claimAndCarryOut = async <Answer, Refusal extends Tagged>(
  key: WriteKey,
  request: RequestContext,
  write: WriteOnce<Answer, Refusal>,
): Promise<E.Either<Refusal | KeyRefusal, Served<Answer>>> => {
  const claim = await key.claim(write.abandoned_after_seconds)();
  if (E.isLeft(claim)) return claim;
  const claimed = claim.right;
  const interrupted = claimed.taken_over ? await write.interrupted?.(claimed.made_id)() : undefined;
  if (interrupted !== undefined && E.isLeft(interrupted)) {
    await key.release(claimed, true)();
    return interrupted;
  }
  switch (interrupted?.right) {
    case 'secret_made': {
      const answer = { body: 'null', headers: {}, secret_of: claimed.made_id };
      await key.keep(claimed, answer)();
      return E.right({ kind: 'stored', answer });
    }
    case 'start_over':
      await key.release(claimed, false)();
      return claimAndCarryOut(key, request, write);
    case 'again':
    case undefined: {
      const done = await write.run({ ...request, at: claimed.at, write: claimed })();
      if (E.isLeft(done)) {
        await key.release(claimed, isUnclear(done.left))();
        return done;
      }
      const answer = write.stored(done.right);
      await (answer === null ? key.release(claimed, true) : key.keep(claimed, answer))();
      return E.right({ kind: 'new', answer: done.right });
    }
  }
};

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
    const key = writeKey(app, worker, request, `${request.caller.account_id} ${text}`, digest, medium);
    const alone = <Answer>(work: Promise<E.Either<Refusal | KeyRefusal, Answer>>): typeof work => {
      const working = work.finally(() => underWay.delete(key.id));
      const refusal = working.then(
        E.match(identity, () => null),
        () => null,
      );
      underWay.set(key.id, { digest, refusal });
      return working;
    };
    const once =
      <Answer>(write: WriteOnce<Answer, Refusal>): TE.TaskEither<Refusal | KeyRefusal, Served<Answer>> =>
      async () => {
        for (;;) {
          const answer = await key.answer();
          if (E.isLeft(answer)) return answer;
          if (answer.right !== null) return E.right({ kind: 'stored', answer: answer.right });
          const running = underWay.get(key.id);
          if (running === undefined) {
            const served = await alone(claimAndCarryOut(key, request, write));
            if (E.isRight(served) || !isTakenOver(served.left)) return served;
          }
          // Waits for the running write; the refusal of an equal one is that of this request too.
          const first = underWay.get(key.id);
          const refusal = first === undefined ? await pause() : await first.refusal;
          if (refusal && first?.digest === digest && !isUnclear(refusal) && !isTakenOver(refusal))
            return E.left(refusal);
        }
      };
    return { find: key.answer, isBegun: key.isBegun, once };
  };
};
