import type { ExpectedRevision, NewEvent } from '../../../application/ports/event-store.js';
import type { ChainedEvent } from '../chained-store.js';
import type { JsonObject } from '../../../domain/kernel/json.js';
import { hashOfTexts } from '../../../projections/audit/event-hash.js';

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReadonlyArray<NewEvent>;
}

/** The revision of an append's first event. */
export const firstOf = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const plain = (metadata: JsonObject): JsonObject => {
  if (!('hash' in metadata)) return metadata;
  const { hash: _hash, ...rest } = metadata;
  return rest;
};

/** A JSON object's text with a hash as its last field. */
const withHash = (text: string, hash: string): string =>
  text === '{}' ? `{"hash":"${hash}"}` : `${text.slice(0, -1)},"hash":"${hash}"}`;

/**
 * The events with their hashes, and the last of these: `previous` is the hash of the event before the first. For a
 * store that takes texts the hash is in these alone; copying every metadata object would cost as much as hashing.
 */
export const chained = ({ stream, expected, events }: Append, previous: string | null, takesTexts: boolean) => {
  let last = previous;
  const hashed = events.map(({ id, type, data, metadata: given }, index): ChainedEvent => {
    const metadata = plain(given);
    const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    const hash = hashOfTexts({ stream, revision: firstOf(expected) + index, id, type }, texts, last);
    last = hash;
    return takesTexts
      ? { id, type, data, metadata, texts: { data: texts.data, metadata: withHash(texts.metadata, hash) } }
      : { id, type, data, metadata: { ...metadata, hash } };
  });
  return { hashed, last };
};
