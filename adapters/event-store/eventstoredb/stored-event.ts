import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { Json } from '../../../domain/kernel/json.js';
import { toPosition } from './position.js';
import type { ReceivedEvent } from './read-response.js';

const parseJson: (text: string) => Json = JSON.parse;

/** Null for invalid JSON: then no codec reads the event, and readers stop at its position. */
const jsonOf = (text: string): Json => {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
};

/** An event of the port. */
export const toStoredEvent = ({ commit, stream, revision, id, type, data, metadata }: ReceivedEvent): StoredEvent => ({
  position: toPosition(commit),
  stream,
  revision,
  id,
  type,
  data: jsonOf(data),
  metadata: jsonOf(metadata),
});
