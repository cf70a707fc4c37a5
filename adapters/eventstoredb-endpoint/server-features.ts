import featuresPb, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { MethodDefinition, handleUnaryCall } from '@grpc/grpc-js';
import { decryptingEndpoint } from '../runtime/decrypting-endpoint.js';

/** The features that clients check before they subscribe to all streams. */
const featuresOf = (path: string): string[] => (path.includes('PersistentSubscriptions/') ? ['stream', 'all'] : []);

const supported = (path: string) => {
  const [, service = '', method = ''] = path.split('/');
  return new featuresPb.SupportedMethod()
    .setServiceName(service.toLowerCase())
    .setMethodName(method.toLowerCase())
    .setFeaturesList(featuresOf(path));
};

const { service, method } = decryptingEndpoint;
const decrypting = [{ path: `/${service}/${method}` }];

/** `ServerFeatures.GetSupportedMethods`: the calls that this server supports, and whether it decrypts what it sends. */
export const supportedMethodsCall = (
  version: string,
  methods: ReadonlyArray<Pick<MethodDefinition<unknown, unknown>, 'path'>>,
  decrypts: boolean,
): handleUnaryCall<unknown, SupportedMethods> => {
  const answer = new featuresPb.SupportedMethods()
    .setEventStoreServerVersion(version)
    .setMethodsList([...methods, ...(decrypts ? decrypting : [])].map(({ path }) => supported(path)));
  return (_, callback) => callback(null, answer);
};
