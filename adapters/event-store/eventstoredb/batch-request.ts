import { randomUUID } from 'node:crypto';
import type { ExpectedRevision, NewEvent } from '../../../application/ports/event-store.js';
import { type FieldWriter, messageOf } from './protobuf.js';

interface Texts {
  readonly data: string;
  readonly metadata: string;
}

const textsOf = ({ data, metadata }: NewEvent): Texts => ({
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

/** An append as one message on a shared call; `id` matches it with its answer. */
export interface BatchRequest {
  readonly id: string;
  readonly message: Buffer;
}

/** Larger appends use a call of their own: one that is too large for the server must not end the shared call. */
const maxSharedCharacters = 500_000;

/** Field numbers of `UUID`, `StreamIdentifier` and map entries. */
const [uuidText, streamName, key, value] = [2, 3, 1, 2];

const putEntry = ({ message, text }: FieldWriter, name: string, content: string): void =>
  message(2, () => {
    text(value, content);
    text(key, name);
  });

/** `BatchAppendReq.ProposedMessage`; as everywhere, the last field is written first. */
const putEvent = (fields: FieldWriter, { id, type }: NewEvent, { data, metadata }: Texts): void => {
  const { message, text } = fields;
  message(3, () => {
    text(4, data);
    text(3, metadata);
    putEntry(fields, 'content-type', 'application/json');
    putEntry(fields, 'type', type);
    message(1, () => text(uuidText, id));
  });
};

/** `BatchAppendReq.Options` */
const putOptions = ({ message, text, integer }: FieldWriter, stream: string, expected: ExpectedRevision): void =>
  message(2, () => {
    if (expected === 'no_stream') text(3, '');
    else integer(2, expected);
    message(1, () => text(streamName, stream));
  });

const isFinal = 1;

/**
 * Null for an append that is too large for a shared call. The message is serialised without the client's classes, which
 * took more than half of the processor time of an append.
 */
export const batchRequest = (
  stream: string,
  expected: ExpectedRevision,
  events: ReadonlyArray<NewEvent>,
): BatchRequest | null => {
  const written = events.map((event) => ({ event, texts: textsOf(event) }));
  const length = written.reduce((sum, { texts }) => sum + texts.data.length + texts.metadata.length, 0);
  if (length > maxSharedCharacters) return null;
  const id = randomUUID();
  const message = messageOf((fields) => {
    fields.integer(4, isFinal);
    written.toReversed().forEach(({ event, texts }) => putEvent(fields, event, texts));
    putOptions(fields, stream, expected);
    fields.message(1, () => fields.text(uuidText, id));
  });
  return { id, message };
};
