import type {
  CreateReq,
  CreateResp,
  DeleteReq,
  DeleteResp,
  GetInfoReq,
  GetInfoResp,
  ListReq,
  ListResp,
  ReplayParkedReq,
  ReplayParkedResp,
  UpdateReq,
  UpdateResp,
} from '@eventstore/db-client/generated/persistent_pb.js';
import persistentPb from '@eventstore/db-client/generated/persistent_pb.js';
import type { Metadata, ServiceError, handleUnaryCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import { accessDenied, groupExists, groupMissing, unavailable } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
import { streamName } from '../streams/stream-name.js';
import type { Group } from './group.js';
import { groupInfo } from './group-info.js';
import { groupName, groupSettings, settingGroupName } from './group-request.js';
import type { Groups } from './groups.js';
import type { GroupName } from './settings.js';

type Answer<Response> = Promise<E.Either<ServiceError, Response>>;

const answering =
  <Request, Response>(
    run: (request: Request, metadata: Metadata) => Answer<Response>,
  ): handleUnaryCall<Request, Response> =>
  ({ request, metadata }, callback) =>
    void run(request, metadata)
      .catch(() => E.left<ServiceError, Response>(unavailable()))
      .then(E.match(callback, (response) => callback(null, response)));

/** Why groups may not be changed on this server; null when they may. */
const changing = ({ refusal, mayChangeGroups }: Access, metadata: Metadata): ServiceError | null =>
  refusal(metadata, 'write') ?? (mayChangeGroups ? null : accessDenied('persistent subscriptions stay as they are'));

const known = (groups: Groups, name: E.Either<ServiceError, GroupName>): E.Either<ServiceError, Group> => {
  if (E.isLeft(name)) return name;
  const group = groups.find(name.right);
  return group === null ? E.left(groupMissing(name.right)) : E.right(group);
};

/** `PersistentSubscriptions.Create` */
export const createCall = (access: Access, log: ServedLog, groups: Groups): handleUnaryCall<CreateReq, CreateResp> =>
  answering(async (request, metadata) => {
    const refusal = changing(access, metadata);
    if (refusal !== null) return E.left(refusal);
    const options = request.getOptions();
    const name = settingGroupName(options);
    if (E.isLeft(name) || options === undefined) return E.left(E.isLeft(name) ? name.left : unavailable());
    if (groups.find(name.right) !== null) return E.left(groupExists(name.right));
    const settings = groupSettings(log, name.right, options);
    if (E.isLeft(settings)) return settings;
    const created = await groups.create(name.right, settings.right);
    return created ? E.right(new persistentPb.CreateResp()) : E.left(unavailable());
  });

/** `PersistentSubscriptions.Update`: the filter stays, and so does what was reached. */
export const updateCall = (access: Access, log: ServedLog, groups: Groups): handleUnaryCall<UpdateReq, UpdateResp> =>
  answering(async (request, metadata) => {
    const refusal = changing(access, metadata);
    if (refusal !== null) return E.left(refusal);
    const options = request.getOptions();
    const group = known(groups, settingGroupName(options));
    if (E.isLeft(group) || options === undefined) return E.left(E.isLeft(group) ? group.left : unavailable());
    const { config } = group.right;
    const settings = groupSettings(log, config, options);
    if (E.isLeft(settings)) return settings;
    const updated = await groups.update(group.right, { ...settings.right, filter: config.settings.filter });
    return updated ? E.right(new persistentPb.UpdateResp()) : E.left(unavailable());
  });

/** `PersistentSubscriptions.Delete` */
export const deleteGroupCall = (access: Access, groups: Groups): handleUnaryCall<DeleteReq, DeleteResp> =>
  answering(async (request, metadata) => {
    const refusal = changing(access, metadata);
    if (refusal !== null) return E.left(refusal);
    const group = known(groups, groupName(request.getOptions()));
    if (E.isLeft(group)) return group;
    return (await groups.remove(group.right)) ? E.right(new persistentPb.DeleteResp()) : E.left(unavailable());
  });

/** `PersistentSubscriptions.ReplayParked` */
export const replayParkedCall = (access: Access, groups: Groups): handleUnaryCall<ReplayParkedReq, ReplayParkedResp> =>
  answering(async (request, metadata) => {
    const refusal = changing(access, metadata);
    if (refusal !== null) return E.left(refusal);
    const options = request.getOptions();
    const group = known(groups, groupName(options));
    if (E.isLeft(group)) return group;
    group.right.replayParked(options?.hasStopAt() === true ? Number(options.getStopAt()) : Number.MAX_SAFE_INTEGER);
    return E.right(new persistentPb.ReplayParkedResp());
  });

/** `PersistentSubscriptions.GetInfo` */
export const infoCall = (access: Access, log: ServedLog, groups: Groups): handleUnaryCall<GetInfoReq, GetInfoResp> =>
  answering(async (request, metadata) => {
    const refusal = access.refusal(metadata, 'read');
    if (refusal !== null) return E.left(refusal);
    const group = known(groups, groupName(request.getOptions()));
    if (E.isLeft(group)) return group;
    return E.right(new persistentPb.GetInfoResp().setSubscriptionInfo(groupInfo(log, group.right)));
  });

const listed = (request: ListReq, groups: Groups): ReadonlyArray<Group> => {
  const wanted = request.getOptions()?.getListForStream();
  if (wanted === undefined) return groups.all();
  const source = wanted.hasAll() ? null : streamName(wanted.getStream());
  return groups.all().filter(({ config }) => config.source === source);
};

/** `PersistentSubscriptions.List`: all, or those of one stream. */
export const listCall = (access: Access, log: ServedLog, groups: Groups): handleUnaryCall<ListReq, ListResp> =>
  answering(async (request, metadata) => {
    const refusal = access.refusal(metadata, 'read');
    if (refusal !== null) return E.left(refusal);
    const infos = listed(request, groups).map((group) => groupInfo(log, group));
    return E.right(new persistentPb.ListResp().setSubscriptionsList(infos));
  });
