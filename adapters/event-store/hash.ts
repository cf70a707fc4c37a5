import { hashOfTexts } from '../../projections/audit/event-hash.js';
import type { ExpectedRevision, NewEvent } from '../../application/ports/event-store.js';
import type { JsonObject } from '../../domain/kernel/json.js';

/** An event as an engine stores it, as objects and as their JSON texts. `hash` is the last field of its metadata. */
export interface HashedEvent {
  readonly id: string;
  readonly type: string;
  readonly hash: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  readonly dataText: string;
  readonly metadataText: string;
}

/** An append to one stream. */
export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReadonlyArray<NewEvent>;
}

/** The revision of an append's first event. */
export const firstRevision = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const withoutHash = (metadata: JsonObject): JsonObject => {
  if (!('hash' in metadata)) return metadata;
  const { hash: _hash, ...rest } = metadata;
  return rest;
};

/** The text of a JSON object with a hash added as its last field. */
const withHash = (text: string, hash: string): string =>
  text === '{}' ? `{"hash":"${hash}"}` : `${text.slice(0, -1)},"hash":"${hash}"}`;

/**
 * The events of an append with their hashes. Each hash is of the event's content and of the preceding hash in its
 * stream; `previous` is that of the event at the expected revision, null if there is none. A hash that an event already
 * has (as a copy from another log) is replaced. What the hash is of stands at `eventHash`, which checks it.
 */
export const hashedEvents = (
  { stream, expected, events }: Append,
  previous: string | null,
): ReadonlyArray<HashedEvent> => {
  let last = previous;
  return events.map(({ id, type, data, metadata: given }, index) => {
    const metadata = withoutHash(given);
    const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    const hash = hashOfTexts({ stream, revision: firstRevision(expected) + index, id, type }, texts, last);
    last = hash;
    return {
      id,
      type,
      hash,
      data,
      metadata: { ...metadata, hash },
      dataText: texts.data,
      metadataText: withHash(texts.metadata, hash),
    };
  });
};
