import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '@grpc/grpc-js';
import type { Access } from '../access.js';
import type { Behaviour } from '../behaviour.js';
import type { AppendOutcome, Expected, PreparedEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { readUuid } from '../wire/uuid.js';
import { type ProposedMessage, prepare, sizeOf } from './proposed-event.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: Expected;
  readonly messages: ReadonlyArray<ProposedMessage>;
}

/** Why nothing was appended. */
export type AppendProblem =
  | { readonly _tag: 'WrongExpectedVersion'; readonly actual: number }
  | { readonly _tag: 'StreamDeleted' }
  | TooLarge
  | { readonly _tag: 'Denied'; readonly error: ServiceError }
  | { readonly _tag: 'Invalid'; readonly error: ServiceError }
  | { readonly _tag: 'Unavailable' };

export type TooLarge =
  | { readonly _tag: 'AppendTooLarge'; readonly most: number }
  | { readonly _tag: 'EventTooLarge'; readonly id: string; readonly bytes: number; readonly most: number };

export type Appended = Extract<AppendOutcome, { readonly _tag: 'Appended' }>;

export type AppendEvents = (request: AppendRequest) => Promise<E.Either<AppendProblem, Appended>>;

const charactersOf = (events: ReadonlyArray<PreparedEvent>): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);

/** What is too large of what a client sent so far; null when nothing is. */
export type Measure = (messages: ReadonlyArray<ProposedMessage>, bytes: number) => TooLarge | null;

/** Looks at the newest message, and at all together. */
export const measuring =
  ({ limits: { append, event } }: Behaviour): Measure =>
  (messages, bytes) => {
    if (bytes > append) return { _tag: 'AppendTooLarge', most: append };
    const newest = messages.at(-1);
    const size = newest === undefined ? 0 : sizeOf(newest);
    if (size <= event) return null;
    return { _tag: 'EventTooLarge', id: readUuid(newest?.getId()) ?? '', bytes: size, most: event };
  };

/** Appends what a client sent; answers once it is durable. */
export const appendEvents =
  ({ appender, write }: ServedLog, { readOnly }: Access): AppendEvents =>
  async ({ stream, expected, messages }) => {
    const denied = readOnly();
    if (denied !== null) return E.left({ _tag: 'Denied', error: denied });
    const prepared = E.sequenceArray(messages.map(prepare));
    if (E.isLeft(prepared)) return E.left({ _tag: 'Invalid', error: prepared.left });
    const events = prepared.right;
    const written = await write({
      run: () => appender.append(stream, expected, events),
      characters: charactersOf(events),
      newestRow: (outcome) => (outcome._tag === 'Appended' ? outcome.row : 0),
    });
    if (E.isLeft(written)) return E.left({ _tag: 'Unavailable' });
    return written.right._tag === 'Appended' ? E.right(written.right) : E.left(written.right);
  };
