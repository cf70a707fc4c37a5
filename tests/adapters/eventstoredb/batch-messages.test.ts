import { expect } from 'chai';
import * as fc from 'fast-check';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { batchAnswerOf } from '../../../adapters/event-store/eventstoredb/batch-answer.js';
import { batchRequest } from '../../../adapters/event-store/eventstoredb/batch-request.js';

const { BatchAppendReq, BatchAppendResp } = streams;

const text = fc.string({ unit: 'grapheme' });
const newEvents = fc.array(
  fc.record({ id: fc.uuid(), type: text, data: fc.dictionary(text, text), metadata: fc.dictionary(text, text) }),
  { minLength: 1, maxLength: 5 },
);
const expectedRevision = fc.oneof(fc.constant('no_stream' as const), fc.nat(), fc.maxSafeNat());
const position = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 1n));

const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('appends to EventStoreDB that share a call', () => {
  it('are serialised so that the client can parse them', () => {
    fc.assert(
      fc.property(text, expectedRevision, newEvents, (stream, expected, events) => {
        const request = batchRequest(stream, expected, events);
        const read = BatchAppendReq.deserializeBinary(request?.message ?? Buffer.alloc(0));
        const options = read.getOptions();
        expect(read.getCorrelationId()?.getString()).to.equal(request?.id);
        expect(read.getIsFinal()).to.equal(true);
        expect(utf8(options?.getStreamIdentifier()?.getStreamName_asU8() ?? Buffer.alloc(1))).to.equal(stream);
        expect(options?.hasNoStream() === true ? 'no_stream' : Number(options?.getStreamPosition())).to.equal(expected);
        expect(
          read.getProposedMessagesList().map((message) => ({
            id: message.getId()?.getString(),
            type: message.getMetadataMap().get('type'),
            content: message.getMetadataMap().get('content-type'),
            data: utf8(message.getData_asU8()),
            metadata: utf8(message.getCustomMetadata_asU8()),
          })),
        ).to.deep.equal(
          events.map(({ id, type, data, metadata }) => ({
            id,
            type,
            content: 'application/json',
            data: JSON.stringify(data),
            metadata: JSON.stringify(metadata),
          })),
        );
      }),
    );
  });

  it('of any length are sent, unless they would end the shared call', () => {
    for (const length of [1_000, 20_000, 130_000, 300_000, 499_000, 600_000, 10]) {
      const data = { text: '€'.repeat(length) };
      const id = '7f6e5d4c-0000-4000-8000-000000000000';
      const request = batchRequest('a', 3, [{ id, type: 'T', data, metadata: {} }]);
      expect(request === null).to.equal(length === 600_000);
      if (request === null) continue;
      const [message] = BatchAppendReq.deserializeBinary(request.message).getProposedMessagesList();
      expect(utf8(message?.getData_asU8() ?? Buffer.alloc(0)) === JSON.stringify(data)).to.equal(true);
    }
  });

  const answerOf = (id: string, success: InstanceType<typeof BatchAppendResp.Success>) =>
    batchAnswerOf(
      Buffer.from(
        new BatchAppendResp().setCorrelationId(new shared.UUID().setString(id)).setSuccess(success).serializeBinary(),
      ),
    );

  it('are answered with messages that the client serialises', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.maxSafeNat(), position, (id, revision, commit) => {
        const at = new shared.AllStreamPosition().setCommitPosition(String(commit)).setPreparePosition(String(commit));
        const success = new BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(at);
        const answer = answerOf(id, success);
        const { outcome } = answer;
        expect(answer.id).to.equal(id);
        expect('commit' in outcome ? [outcome.revision, String(outcome.commit)] : null).to.deep.equal([
          revision,
          String(commit),
        ]);
      }),
    );
  });

  it('may be answered without a position', () => {
    const success = new BatchAppendResp.Success().setCurrentRevision('7').setNoPosition(new shared.Empty());
    expect(answerOf('one', success)).to.deep.equal({ id: 'one', outcome: { revision: 7, commit: null } });
  });

  it('are identified by an id sent as two integers', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const digits = BigInt(`0x${id.replaceAll('-', '')}`);
        const two = new shared.UUID.Structured()
          .setMostSignificantBits(String(BigInt.asIntN(64, digits >> 64n)))
          .setLeastSignificantBits(String(BigInt.asIntN(64, digits)));
        const message = new BatchAppendResp()
          .setCorrelationId(new shared.UUID().setStructured(two))
          .setSuccess(new BatchAppendResp.Success());
        expect(batchAnswerOf(Buffer.from(message.serializeBinary())).id).to.equal(id);
      }),
    );
  });

  it("are refused with the server's error", () => {
    const message = new BatchAppendResp()
      .setCorrelationId(new shared.UUID().setString('one'))
      .setError(new statuses.Status().setCode(4).setMessage('too late'));
    const { id, outcome } = batchAnswerOf(Buffer.from(message.serializeBinary()));
    expect(id).to.equal('one');
    expect('getError' in outcome ? outcome.getError()?.getMessage() : null).to.equal('too late');
  });
});
