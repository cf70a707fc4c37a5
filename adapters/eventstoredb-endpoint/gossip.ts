import { randomUUID } from 'node:crypto';
import gossipPb, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { AccessRules } from './access.js';

const { VNodeState } = gossipPb.MemberInfo;

const memberOf = (id: string, host: string, port: number, leads: boolean) =>
  new gossipPb.MemberInfo()
    .setInstanceId(new sharedPb.UUID().setString(id))
    .setTimeStamp(String(Date.now()))
    .setState(leads ? VNodeState.LEADER : VNodeState.FOLLOWER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossipPb.EndPoint().setAddress(host).setPort(port));

/** The host name under which the client knows this server. */
const hostOf = (authority: string): string => authority.replace(/:\d+$/, '');

/**
 * `Gossip.Read`: a cluster of one leading node, unless another leader is configured. Needs no credentials, because
 * clients ask it before they authenticate.
 */
export const gossipCall = (port: () => number, { leader }: AccessRules): handleUnaryCall<unknown, ClusterInfo> => {
  const ids = { own: randomUUID(), other: randomUUID() };
  return (call, callback) => {
    const elsewhere = leader();
    const own = memberOf(ids.own, hostOf(call.getHost()), port(), elsewhere === null);
    const other = elsewhere === null ? [] : [memberOf(ids.other, elsewhere.host, elsewhere.port, true)];
    callback(null, new gossipPb.ClusterInfo().setMembersList([own, ...other]));
  };
};
