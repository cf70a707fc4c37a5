import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { type Json, JsonObject } from '../../../domain/kernel/json.js';
import { toPosition } from './position.js';

export type RecordedEvent = ReadResp.ReadEvent.RecordedEvent;

const parseJson: (text: string) => Json = JSON.parse;

/** Null for what is no JSON: then no codec reads the event, and whoever reads it stops at its position. */
const jsonOf = (bytes: Uint8Array): Json => {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return null;
  }
};

/** What the client made of an event's bytes: JSON, or else null. */
export const jsonOrNull = (value: unknown): Json => (JsonObject.is(value) ? value : null);

/** A recorded event as the port shows it. */
export const toStoredEvent = (recorded: RecordedEvent): StoredEvent => ({
  position: toPosition(recorded.getCommitPosition()),
  stream: Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8'),
  revision: Number(recorded.getStreamRevision()),
  id: recorded.getId()?.getString() ?? '',
  type: recorded.getMetadataMap().get('type') ?? '',
  data: jsonOf(recorded.getData_asU8()),
  metadata: jsonOf(recorded.getCustomMetadata_asU8()),
});

/** About how much memory an event takes. */
export const sizeOf = (recorded: RecordedEvent): number =>
  recorded.getData_asU8().length + recorded.getCustomMetadata_asU8().length;
