import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { EventRow } from '../event-store/sqlite/read.js';

const { ReadResp } = streamsPb;
const { ReadEvent } = ReadResp;

const ticksPerMillisecond = 10_000;
const recordedAt = /"recorded_at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** When an event was recorded, in the unit of the protocol, according to its metadata; 0 if they do not say. */
const createdOf = (metadata: string): string => {
  const time = recordedAt.exec(metadata)?.[1];
  return String(time === undefined ? 0 : Date.parse(time) * ticksPerMillisecond);
};

const structuredOf = (id: string) => {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return new sharedPb.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
};

const nameOf = (stream: string) => new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));

/** A row as it is recorded in the log. Ids are two integers if the client asked for that. */
const recordedEvent = ([row, stream, revision, id, type, data, metadata]: EventRow, structuredIds: boolean) => {
  const uuid = new sharedPb.UUID();
  const position = String(row);
  const event = new ReadEvent.RecordedEvent()
    .setId(structuredIds ? uuid.setStructured(structuredOf(id)) : uuid.setString(id))
    .setStreamIdentifier(nameOf(stream))
    .setStreamRevision(String(revision))
    .setPreparePosition(position)
    .setCommitPosition(position)
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  event.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', createdOf(metadata));
  return event;
};

export const eventMessage = (row: EventRow, structuredIds: boolean) =>
  new ReadResp().setEvent(
    new ReadEvent().setEvent(recordedEvent(row, structuredIds)).setCommitPosition(String(row[0])),
  );

export const confirmationMessage = (subscription: string) =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(subscription));

/** Reports how far the log was examined for a filter. */
export const checkpointMessage = (position: string, prepare = position) =>
  new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(prepare));

export const caughtUpMessage = () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());

export const streamNotFoundMessage = (stream: string) =>
  new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(nameOf(stream)));
