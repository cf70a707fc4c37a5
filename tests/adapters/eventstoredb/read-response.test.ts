import { expect } from 'chai';
import * as fc from 'fast-check';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { readResponseOf } from '../../../adapters/event-store/eventstoredb/read-response.js';

const { ReadResp } = streams;
const { ReadEvent } = ReadResp;

interface Given {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: number;
  readonly commit: bigint;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

const events: fc.Arbitrary<Given> = fc.record({
  id: fc.uuid(),
  stream: fc.string({ unit: 'grapheme' }),
  type: fc.string({ unit: 'grapheme' }),
  revision: fc.oneof(fc.nat(), fc.maxSafeNat()),
  commit: fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 1n)),
  data: fc.uint8Array({ maxLength: 400 }),
  metadata: fc.uint8Array(),
});

/** A message serialised by the client's own classes. */
const messageOf = ({ id, stream, type, revision, commit, data, metadata }: Given) => {
  const event = new ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')))
    .setStreamRevision(String(revision))
    .setPreparePosition(String(commit))
    .setCommitPosition(String(commit))
    .setCustomMetadata(metadata)
    .setData(data);
  event.getMetadataMap().set('content-type', 'application/json').set('type', type).set('created', '1');
  return new ReadResp().setEvent(new ReadEvent().setEvent(event).setCommitPosition(String(commit)));
};

const bytesOf = (message: InstanceType<typeof ReadResp>): Buffer => Buffer.from(message.serializeBinary());

describe('a message of EventStoreDB', () => {
  it('is parsed as the client serialises it', () => {
    fc.assert(
      fc.property(events, (given) => {
        const { event, says } = readResponseOf(bytesOf(messageOf(given)));
        expect({ ...event, commit: String(event?.commit) }).to.deep.equal({
          ...given,
          commit: String(given.commit),
          data: Buffer.from(given.data).toString('utf8'),
          metadata: Buffer.from(given.metadata).toString('utf8'),
          size: given.data.length + given.metadata.length,
        });
        expect(says).to.equal(null);
      }),
    );
  });

  it('reports the state of a subscription', () => {
    const says = [
      new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('one')),
      new ReadResp().setCaughtUp(new ReadResp.CaughtUp()),
      new ReadResp().setFellBehind(new ReadResp.FellBehind()),
      new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition('18446744073709551615')),
      new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound()),
    ].map((message) => readResponseOf(bytesOf(message)));
    expect(says).to.deep.equal(
      ['confirmed', 'caught up', 'fell behind', null, null].map((what) => ({ event: null, says: what })),
    );
  });

  it('is refused when it is truncated', () => {
    fc.assert(
      fc.property(events, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (given, part) => {
        const bytes = bytesOf(messageOf(given));
        const cut = bytes.subarray(0, Math.max(1, Math.floor(bytes.length * part)));
        expect(() => readResponseOf(cut)).to.throw('cut off');
      }),
    );
  });
});
