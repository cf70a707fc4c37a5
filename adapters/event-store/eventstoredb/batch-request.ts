import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent } from '../../../application/ports/event-store.js';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const proposed = (event: NewEvent, { data, metadata }: Texts) => {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(new shared.UUID().setString(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  return message.setData(base64(data)).setCustomMetadata(base64(metadata));
};

interface Texts {
  readonly data: string;
  readonly metadata: string;
}

const textsOf = ({ data, metadata }: NewEvent): Texts => ({
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

/** An append as one message of the call that many share; its id tells the answer from those of others. */
export interface BatchRequest {
  readonly id: string;
  readonly message: BatchAppendReq;
}

/** Greater appends have a call of their own: what may be too large must not end the call of others. */
const most = 500_000;

/** Null for an append that is too large to share a call. */
export const batchRequest = (
  stream: string,
  expected: ExpectedRevision,
  events: ReadonlyArray<NewEvent>,
): BatchRequest | null => {
  const texts = events.map(textsOf);
  if (texts.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0) > most) return null;
  const id = randomUUID();
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(base64(stream)));
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const message = new streams.BatchAppendReq()
    .setOptions(options)
    .setCorrelationId(new shared.UUID().setString(id))
    .setProposedMessagesList(events.map((event, index) => proposed(event, texts[index] ?? textsOf(event))))
    .setIsFinal(true);
  return { id, message };
};
