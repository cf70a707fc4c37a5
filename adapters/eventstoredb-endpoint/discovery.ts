import { randomUUID } from 'node:crypto';
import gossipPb, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import featuresPb, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { decryptingCall } from '../runtime/connections.js';

const { VNodeState } = gossipPb.MemberInfo;

/** The address of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const memberOf = (id: string, { host, port }: Address, leads: boolean) =>
  new gossipPb.MemberInfo()
    .setInstanceId(new sharedPb.UUID().setString(id))
    .setTimeStamp(String(Date.now()))
    .setState(leads ? VNodeState.LEADER : VNodeState.FOLLOWER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossipPb.EndPoint().setAddress(host).setPort(port));

/** The host name under which the client knows this server. */
const hostOf = (authority: string): string => authority.replace(/:\d+$/, '');

/**
 * `Gossip.Read`: a cluster of one leading node, or of two if another one leads. Needs no credentials, because clients ask
 * it before they authenticate.
 */
export const gossipCall = (
  port: () => number,
  leader: () => Address | null = () => null,
): handleUnaryCall<unknown, ClusterInfo> => {
  const ids = { own: randomUUID(), other: randomUUID() };
  return (call, callback) => {
    const elsewhere = leader();
    const own = memberOf(ids.own, { host: hostOf(call.getHost()), port: port() }, elsewhere === null);
    const other = elsewhere === null ? [] : [memberOf(ids.other, elsewhere, true)];
    callback(null, new gossipPb.ClusterInfo().setMembersList([own, ...other]));
  };
};

const supported = (path: string) => {
  const [, service = '', method = ''] = path.split('/');
  return new featuresPb.SupportedMethod().setServiceName(service.toLowerCase()).setMethodName(method.toLowerCase());
};

/**
 * `ServerFeatures.GetSupportedMethods`: the calls that this server supports, by their paths, and whether it decrypts what
 * it sends.
 */
export const supportedMethodsCall = (
  version: string,
  paths: ReadonlyArray<string>,
  decrypts: boolean,
): handleUnaryCall<unknown, SupportedMethods> => {
  const answer = new featuresPb.SupportedMethods()
    .setEventStoreServerVersion(version)
    .setMethodsList([...paths, ...(decrypts ? [decryptingCall] : [])].map(supported));
  return (_, callback) => callback(null, answer);
};
