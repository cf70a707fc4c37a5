import { expect } from 'chai';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import { acknowledgement, joinRequest } from '../../../adapters/event-store/eventstoredb/group-messages.js';

const { ReadReq } = persistent;

describe('messages to a group of consumers of EventStoreDB', () => {
  it('joining a group can be parsed by the client', () => {
    const options = ReadReq.deserializeBinary(joinRequest('réactions-0a', 300)).getOptions();
    expect(options?.hasAll()).to.equal(true);
    expect(options?.getGroupName()).to.equal('réactions-0a');
    expect(options?.getBufferSize()).to.equal(300);
    expect(options?.getUuidOption()?.hasString()).to.equal(true);
  });

  it('acknowledgements can be parsed by the client, in order', () => {
    const ids = ['7f6e5d4c-0000-4000-8000-000000000001', '7f6e5d4c-0000-4000-8000-000000000002'];
    const read = ReadReq.deserializeBinary(acknowledgement(ids)).getAck()?.getIdsList();
    expect(read?.map((id) => id.getString())).to.deep.equal(ids);
  });
});
