import { expect } from 'chai';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import { acknowledgement, joinRequest } from '../../../adapters/event-store/eventstoredb/group-messages.js';

const { ReadReq } = persistent;

describe('what a group of consumers says to EventStoreDB', () => {
  it('who takes part, is read by the client', () => {
    const options = ReadReq.deserializeBinary(joinRequest('réactions-0a', 300)).getOptions();
    expect(options?.hasAll()).to.equal(true);
    expect(options?.getGroupName()).to.equal('réactions-0a');
    expect(options?.getBufferSize()).to.equal(300);
    expect(options?.getUuidOption()?.hasString()).to.equal(true);
  });

  it('what is done, is read by the client in its order', () => {
    const ids = ['7f6e5d4c-0000-4000-8000-000000000001', '7f6e5d4c-0000-4000-8000-000000000002'];
    const read = ReadReq.deserializeBinary(acknowledgement(ids)).getAck()?.getIdsList();
    expect(read?.map((id) => id.getString())).to.deep.equal(ids);
  });
});
