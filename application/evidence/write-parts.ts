import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { Json } from '../../domain/kernel/json.js';
import type { Uses } from '../application.js';
import type { Contention, Failure } from '../failures.js';
import type { AnyEvent } from '../commands/read-event.js';
import { keyedQueue } from '../keyed-queue.js';
import { toNewEvent } from '../commands/context.js';
import type { ExpectedRevision } from '../ports/event-store.js';
import { type RequestContext, commandContext } from '../commands/context.js';
import type { PackedParts } from './packed-match.js';

const attempts = 20;

/** Serialises writers of one stream, which would otherwise conflict at each part. */
const queue = keyedQueue();

/** The revision of the last known part; `no_stream` if there is none. */
const endOf = (last: Chunks | null): ExpectedRevision =>
  last === null ? 'no_stream' : last.first_revision + last.parts - 1;

const next = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const parse: (text: string) => Json = JSON.parse;
const decoder = new TextDecoder();

/** The index of a part among the parts of its analysis. */
interface Place {
  readonly part: number;
  readonly parts: number;
}

/**
 * Appends bulky evidence to its own stream, one append per part; a part is parsed only just before. Parts of an interrupted
 * earlier write remain in the stream; nothing refers to them.
 */
export const writeParts = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  stream: string,
  last: Chunks | null,
  { parts }: PackedParts,
  eventOf: (items: Json, place: Place) => AnyEvent,
): TE.TaskEither<Failure, Chunks> => {
  const from = (start: ExpectedRevision, left: number): TE.TaskEither<Failure, Chunks> => {
    const write = (index: number, expected: ExpectedRevision): TE.TaskEither<Failure, Chunks> => {
      const part = parts[index];
      if (part === undefined) return TE.right({ first_revision: next(start), parts: parts.length });
      const event = eventOf(parse(decoder.decode(part)), { part: index, parts: parts.length });
      return pipe(
        app.store.append(stream, expected, [toNewEvent(event, commandContext(app.ids, request), 0, stream)]),
        TE.matchE(
          (failure): TE.TaskEither<Failure, Chunks> => {
            if (failure._tag !== 'RevisionConflict') return TE.left(failure);
            return left > 0 ? from(failure.actual, left - 1) : TE.left<Contention>({ _tag: 'Contention', stream });
          },
          ({ revision, position }) => {
            request.onWrite(position);
            return write(index + 1, revision);
          },
        ),
      );
    };
    return write(0, start);
  };
  return queue.run(stream, from(endOf(last), attempts));
};
