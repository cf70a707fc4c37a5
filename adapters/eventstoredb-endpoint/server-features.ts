import featuresPb, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { MethodDefinition, handleUnaryCall } from '@grpc/grpc-js';

/** The features that clients check before they subscribe to all streams. */
const featuresOf = (path: string): string[] => (path.includes('PersistentSubscriptions/') ? ['stream', 'all'] : []);

const supported = (path: string) => {
  const [, service = '', method = ''] = path.split('/');
  return new featuresPb.SupportedMethod()
    .setServiceName(service.toLowerCase())
    .setMethodName(method.toLowerCase())
    .setFeaturesList(featuresOf(path));
};

/** `ServerFeatures.GetSupportedMethods`: the calls that this server supports. */
export const supportedMethodsCall = (
  version: string,
  methods: ReadonlyArray<Pick<MethodDefinition<unknown, unknown>, 'path'>>,
): handleUnaryCall<unknown, SupportedMethods> => {
  const answer = new featuresPb.SupportedMethods()
    .setEventStoreServerVersion(version)
    .setMethodsList(methods.map(({ path }) => supported(path)));
  return (_, callback) => callback(null, answer);
};
