import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type Address, gossipCall, supportedMethodsCall } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import type { ServedCalls, ServerParts } from '../../../adapters/eventstoredb-endpoint/start-server.js';
import type { EventLog } from '../../../adapters/event-store/sqlite/open.js';
import type { Behaviour } from '../event-store/versions.js';
import { appendCall } from './appending.js';
import { type Imitation, refusals } from './imitation.js';
import { readCalls } from './reading.js';

const minMaxMessageBytes = 8 * 1_048_576;

const { read, append } = StreamsService;
const paths = [read, append, GossipService.read].map(({ path }) => path);

/** What decides about the calls of a server besides its version. */
export interface Circumstances extends Pick<Imitation, 'faults' | 'subscriptions'> {
  /** The address of the leader when this server plays a follower; null when it leads. */
  readonly leader: () => Address | null;
}

/**
 * The calls that a version of EventStoreDB answers: those of the endpoint, changed to what this version does, and
 * appends.
 */
export const serverCalls =
  (events: EventLog, behaviour: Behaviour, { leader, faults, subscriptions }: Circumstances) =>
  ({ log, authenticate, port, decrypts }: ServerParts): ServedCalls => {
    const { limits, isServer, version } = behaviour;
    const refusal = refusals(authenticate, leader, faults);
    const imitation: Imitation = { log, behaviour, faults, subscriptions, refusal };
    const reading = readCalls(imitation);
    return {
      services: [
        [
          { read, append },
          { read: reading.read, append: appendCall(events, imitation) },
        ],
        [GossipService, { read: gossipCall(port, leader) }],
        [ServerFeaturesService, { getSupportedMethods: supportedMethodsCall(version, paths, decrypts) }],
      ],
      settings: {
        'grpc.max_receive_message_length': Math.max(minMaxMessageBytes, 2 * limits.event),
        ...(isServer ? { 'grpc.max_concurrent_streams': 100 } : {}),
      },
      close: async () => reading.close(),
    };
  };
