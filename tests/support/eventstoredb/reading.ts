import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Behaviour, Positions } from '../event-store/versions.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import { type Faults, invalidPosition, streamReset, type Imitation } from './imitation.js';
import {
  type ReadCall,
  type Reader,
  checkpointMessage,
  serveRead,
} from '../../../adapters/eventstoredb-endpoint/reading.js';

const greatest = String(2n ** 64n - 1n);

/** Gives an event of the endpoint the position that it has in this version. */
export const placeEvent = (message: ReadResp, { of }: Positions): ReadResp => {
  const event = message.getEvent();
  const position = String(of(Number(event?.getCommitPosition())));
  event?.setCommitPosition(position).getEvent()?.setCommitPosition(position).setPreparePosition(position);
  return message;
};

/** Turns the position of a request into a row. Returns whether there is one. */
const placeRequest = ({ request }: ReadCall, { rowAt }: Positions): boolean => {
  const options = request.getOptions();
  const position = options?.getAll()?.getPosition();
  if (options === undefined || position === undefined) return true;
  const row = rowAt({ commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) });
  if (row !== null) position.setCommitPosition(String(options.hasSubscription() ? Math.floor(row) : Math.ceil(row)));
  return row !== null;
};

/** Changes what a client receives into what this version would send. */
const imitate =
  ({ request }: ReadCall, { positions, checkpoints }: Behaviour, faults: Faults) =>
  (reader: Reader): Reader => {
    const all = request.getOptions()?.getAll();
    const isFiltered = request.getOptions()?.hasFilter() === true;
    let passed = false;
    const checkpoint = (row: number): ReadResp => {
      const isNext = checkpoints === 'next';
      const position = String(positions.of(isNext ? row + 1 : row));
      return checkpointMessage(position, isNext ? '0' : position);
    };
    const imitated = (message: ReadResp): ReadResp => {
      const reached = message.getCheckpoint();
      if (reached !== undefined) return checkpoint(Number(reached.getCommitPosition()));
      passed ||= message.hasEvent();
      return message.hasEvent() ? placeEvent(message, positions) : message;
    };
    return {
      ...reader,
      send: async (message) => {
        for (const sent of faults.rewrite(imitated(message))) await reader.send(sent);
      },
      caughtUp: async (row) => {
        const isFirst = checkpoints === 'greatest first' && all?.hasStart() === true && !passed;
        if (isFiltered && checkpoints !== 'none' && row > 0)
          await reader.send(isFirst ? checkpointMessage(greatest) : checkpoint(row));
        await reader.caughtUp(row);
      },
    };
  };

/** `Streams.Read`, and what ends its subscriptions with the server. */
export const readCalls = ({ log, behaviour, refusal, faults, subscriptions }: Imitation) => ({
  read: (call: ReadCall): void => {
    const options = call.request.getOptions();
    const subscribes = options?.hasSubscription() === true;
    const stream = streamName(options?.getStream()?.getStreamIdentifier());
    const refused = refusal(call.metadata, { method: 'read', stream });
    if (refused !== null) return void call.emit('error', refused);
    if (!placeRequest(call, behaviour.positions)) return void call.emit('error', invalidPosition(subscribes));
    if (subscribes) subscriptions.push(call);
    serveRead(call, log, imitate(call, behaviour, faults));
  },
  close: (): void => {
    const open = subscriptions.filter(({ cancelled, destroyed }) => !cancelled && !destroyed);
    if (behaviour.isServer) open.forEach((call) => call.emit('error', streamReset()));
  },
});
