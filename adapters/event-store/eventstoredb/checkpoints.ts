import { randomUUID } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { Connection } from './connection.js';
import { readEndOfStream } from './read.js';

const Saved = t.type({ position: t.string });

const streamOf = (process: string): string => `checkpoint-${process}`;

/**
 * Checkpoints as events in streams of their own. Their type begins like the server's system types, so that no reader of
 * the log sees them. A checkpoint never goes back: the greater of two is kept.
 */
export const createCheckpoints = (connection: Connection, append: EventStore['append']): Checkpoints => {
  const last = async (process: string) => {
    const found = await readEndOfStream(connection, streamOf(process));
    if (E.isLeft(found)) return found;
    const { data, revision } = found.right ?? { data: null, revision: 'no_stream' as const };
    return E.right({ position: Saved.is(data) ? data.position : null, revision });
  };
  const save = async (process: string, position: Position): Promise<E.Either<StoreUnavailable, void>> => {
    for (;;) {
      const known = await last(process);
      if (E.isLeft(known)) return known;
      if (known.right.position !== null && known.right.position >= position) return E.right(undefined);
      const event = { id: randomUUID(), type: '$checkpoint', data: { position }, metadata: {} };
      const answer = await append(streamOf(process), known.right.revision, [event])();
      if (E.isRight(answer)) return E.right(undefined);
      if (answer.left._tag === 'RevisionConflict') continue;
      const reason = 'reason' in answer.left ? answer.left.reason : answer.left._tag;
      return E.left({ _tag: 'StoreUnavailable', reason });
    }
  };
  return {
    load: (process) => async () => {
      const known = await last(process);
      return E.isLeft(known) ? known : E.right(known.right.position);
    },
    save: (process, position) => () => save(process, position),
  };
};
