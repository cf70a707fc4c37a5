import type { StoredEvent } from '../../../application/ports/event-store.js';
import { type Json, JsonObject } from '../../../domain/kernel/json.js';
import { toPosition } from './position.js';
import type { ReceivedEvent } from './read-response.js';

const parseJson: (text: string) => Json = JSON.parse;

/** Null for what is no JSON: then no codec reads the event, and whoever reads it stops at its position. */
const jsonOf = (bytes: Buffer): Json => {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch {
    return null;
  }
};

/** What the client made of an event's bytes: JSON, or else null. */
export const jsonOrNull = (value: unknown): Json => (JsonObject.is(value) ? value : null);

/** An event as the port shows it. */
export const toStoredEvent = ({ commit, stream, revision, id, type, data, metadata }: ReceivedEvent): StoredEvent => ({
  position: toPosition(commit),
  stream,
  revision,
  id,
  type,
  data: jsonOf(data),
  metadata: jsonOf(metadata),
});

/** About how much memory an event takes. */
export const sizeOf = ({ data, metadata }: ReceivedEvent): number => data.length + metadata.length;
