import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '@grpc/grpc-js';
import type { Access } from '../access.js';
import type { AppendOutcome, Expected, PreparedEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { isMetadataStream } from '../log/stream-state.js';
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
  | { readonly _tag: 'TooLarge' }
  | { readonly _tag: 'Denied'; readonly reason: string }
  | { readonly _tag: 'Invalid'; readonly error: ServiceError }
  | { readonly _tag: 'Unavailable' };

export type Appended = Extract<AppendOutcome, { readonly _tag: 'Appended' }>;

export type AppendEvents = (request: AppendRequest) => Promise<E.Either<AppendProblem, Appended>>;

/** The limit of one append, as this protocol has it. */
export const mostBytes = 1_048_576;

const charactersOf = (events: ReadonlyArray<PreparedEvent>): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);

/** A metadata stream belongs to the stream that it is about. */
const aboutStream = (stream: string): string => (isMetadataStream(stream) ? stream.slice(2) : stream);

/** Appends what a client sent; answers once it is durable. */
export const appendEvents =
  ({ appender, write }: ServedLog, { refuseAppend }: Access): AppendEvents =>
  async ({ stream, expected, messages }) => {
    if (messages.reduce((sum, message) => sum + sizeOf(message), 0) > mostBytes) return E.left({ _tag: 'TooLarge' });
    const prepared = E.sequenceArray(messages.map(prepare));
    if (E.isLeft(prepared)) return E.left({ _tag: 'Invalid', error: prepared.left });
    const events = prepared.right;
    const reason = refuseAppend(aboutStream(stream), events);
    if (reason !== null) return E.left({ _tag: 'Denied', reason });
    const written = await write({
      run: () => appender.append(stream, expected, events),
      characters: charactersOf(events),
      newestRow: (outcome) => (outcome._tag === 'Appended' ? outcome.row : 0),
    });
    if (E.isLeft(written)) return E.left({ _tag: 'Unavailable' });
    return written.right._tag === 'Appended' ? E.right(written.right) : E.left(written.right);
  };
