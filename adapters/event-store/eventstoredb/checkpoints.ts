import { randomUUID } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { reasonOf } from '../../../application/failures.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore, ExpectedRevision, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { Connection } from './connection.js';
import { readEvents } from './read-messages.js';
import { unavailable } from './reader.js';
import { readBackwardsRequest } from './requests.js';
import { toStoredEvent } from './stored-event.js';

const Saved = t.type({ position: t.string });

interface Last {
  readonly position: Position | null;
  readonly revision: ExpectedRevision;
}

const streamOf = (process: string): string => `checkpoint-${process}`;

/**
 * Checkpoints as events in streams of their own. Their type begins like the server's system types, so that no reader of
 * the log sees them. A checkpoint never goes back: the greater of two is kept.
 */
export const createCheckpoints = (connection: Connection, append: EventStore['append']): Checkpoints => {
  const last =
    (process: string): TE.TaskEither<StoreUnavailable, Last> =>
    async () => {
      const request = readBackwardsRequest(streamOf(process), 1);
      const found = await connection.call((client, deadline) => readEvents(client, request, deadline, toStoredEvent));
      if (E.isLeft(found) && found.left._tag !== 'NoStream') return E.left(unavailable(found.left));
      const event = E.isRight(found) ? found.right[0] : undefined;
      if (event === undefined) return E.right({ position: null, revision: 'no_stream' });
      const { data, revision } = event;
      return E.right({ position: Saved.is(data) ? data.position : null, revision });
    };
  const save = (process: string, position: Position): TE.TaskEither<StoreUnavailable, void> =>
    pipe(
      last(process),
      TE.chain((known) => {
        if (known.position !== null && known.position >= position) return TE.right(undefined);
        const event = { id: randomUUID(), type: '$checkpoint', data: { position }, metadata: {} };
        return pipe(
          append(streamOf(process), known.revision, [event]),
          TE.map(() => undefined),
          TE.orElse((failure) =>
            failure._tag === 'RevisionConflict'
              ? save(process, position)
              : TE.left<StoreUnavailable>({ _tag: 'StoreUnavailable', reason: reasonOf(failure) }),
          ),
        );
      }),
    );
  return {
    load: (process) =>
      pipe(
        last(process),
        TE.map(({ position }) => position),
      ),
    save,
  };
};
