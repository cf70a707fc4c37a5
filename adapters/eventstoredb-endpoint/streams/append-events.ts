import type { ServiceError } from '@grpc/grpc-js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import { invalid, propertyMissing } from '../errors.js';
import type { PreparedEvent, AppendOutcome, Expected } from '../log/append.js';
import { toStored } from '../log/stored-payload.js';
import { readUuid } from '../wire/uuid.js';
import type { Access } from '../access.js';
import type { Behaviour } from '../behaviour.js';
import type { ServedLog } from '../log/open-log.js';

/** The message for one event, common to both append calls. */
export interface ProposedMessage {
  readonly getId: () => UUID | undefined;
  readonly getMetadataMap: () => { readonly get: (key: string) => string | undefined };
  readonly getCustomMetadata_asU8: () => Uint8Array;
  readonly getData_asU8: () => Uint8Array;
}

/** The approximate size of an event in the log in bytes; the append limit counts it. */
export const sizeOf = (message: ProposedMessage): number =>
  message.getData_asU8().length +
  message.getCustomMetadata_asU8().length +
  2 * (message.getMetadataMap().get('type')?.length ?? 0);

/** A proposed event, prepared for the log. */
const prepare = (message: ProposedMessage): E.Either<ServiceError, PreparedEvent> => {
  const id = readUuid(message.getId());
  if (id === null) return E.left(invalid("the event's id is no UUID"));
  const type = message.getMetadataMap().get('type');
  if (type === undefined || type === '') return E.left(propertyMissing('type'));
  const contentType = message.getMetadataMap().get('content-type');
  if (contentType === undefined) return E.left(propertyMissing('content-type'));
  const stored = toStored(
    {
      isJson: contentType === 'application/json',
      data: message.getData_asU8(),
      metadata: message.getCustomMetadata_asU8(),
    },
    new Date(),
  );
  return E.right({ id, type, ...stored });
};

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
  | { readonly _tag: 'AppendTooLarge'; readonly limit: number }
  | { readonly _tag: 'EventTooLarge'; readonly id: string; readonly bytes: number; readonly limit: number };

export type Appended = Extract<AppendOutcome, { readonly _tag: 'Appended' }>;

export type AppendEvents = (request: AppendRequest) => Promise<E.Either<AppendProblem, Appended>>;

const charactersOf = (events: ReadonlyArray<PreparedEvent>): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);

/** Which limit an append exceeds so far; null if none. */
export type Measure = (messages: ReadonlyArray<ProposedMessage>, bytes: number) => TooLarge | null;

/** Checks the newest message and the total. */
export const measuring =
  ({ limits: { append, event } }: Behaviour): Measure =>
  (messages, bytes) => {
    if (bytes > append) return { _tag: 'AppendTooLarge', limit: append };
    const newest = messages.at(-1);
    const size = newest === undefined ? 0 : sizeOf(newest);
    if (size <= event) return null;
    return { _tag: 'EventTooLarge', id: readUuid(newest?.getId()) ?? '', bytes: size, limit: event };
  };

/** Appends the events of a request; resolves once they are durable. */
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
