import persistentPb, { type CreateReq, type CreateResp } from '@eventstore/db-client/generated/persistent_pb.js';
import type { Metadata, ServiceError, handleUnaryCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import { groupExists, invalid, unavailable } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
import { groupSettings, settingGroupName } from './group-request.js';
import type { Groups } from './groups.js';

const create = async (
  access: Access,
  log: ServedLog,
  groups: Groups,
  request: CreateReq,
  metadata: Metadata,
): Promise<E.Either<ServiceError, CreateResp>> => {
  const refusal = access.refusal(metadata, 'write') ?? access.readOnly();
  if (refusal !== null) return E.left(refusal);
  const options = request.getOptions();
  if (options === undefined) return E.left(invalid('a request says what it wants'));
  const name = settingGroupName(options);
  if (E.isLeft(name)) return name;
  if (groups.find(name.right) !== null) return E.left(groupExists(name.right));
  const settings = groupSettings(log, name.right, options);
  if (E.isLeft(settings)) return settings;
  const created = await groups.create(name.right, settings.right);
  return created ? E.right(new persistentPb.CreateResp()) : E.left(unavailable());
};

/** `PersistentSubscriptions.Create` */
export const createCall =
  (access: Access, log: ServedLog, groups: Groups): handleUnaryCall<CreateReq, CreateResp> =>
  ({ request, metadata }, callback) =>
    void create(access, log, groups, request, metadata)
      .catch(() => E.left<ServiceError, CreateResp>(unavailable()))
      .then(E.match(callback, (response) => callback(null, response)));
