import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** A gRPC error with the metadata by which clients distinguish errors. */
export const refusal = (code: status, details: string, marks: Readonly<Record<string, string>> = {}): ServiceError => {
  const metadata = new Metadata();
  Object.entries(marks).forEach(([key, value]) => metadata.set(key, value));
  return Object.assign(new Error(details), { code, details, metadata });
};

/** Whether a thrown value is an error of this file, to be sent to the client as it is. */
export const isRefusal = (cause: unknown): cause is ServiceError =>
  cause instanceof Error && 'metadata' in cause && cause.metadata instanceof Metadata;

export const invalid = (details: string): ServiceError => refusal(status.INVALID_ARGUMENT, details);

export const unavailable = (): ServiceError => refusal(status.UNAVAILABLE, 'the event log cannot be used at present');
