import type { ServiceError } from '@grpc/grpc-js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import { invalid, propertyMissing } from '../errors.js';
import type { PreparedEvent } from '../log/append.js';
import { toStored } from '../log/stored-payload.js';
import { readUuid } from '../wire/uuid.js';

/** What both ways of appending send for an event. */
export interface ProposedMessage {
  readonly getId: () => UUID | undefined;
  readonly getMetadataMap: () => { readonly get: (key: string) => string | undefined };
  readonly getCustomMetadata_asU8: () => Uint8Array;
  readonly getData_asU8: () => Uint8Array;
}

/** About how many bytes it takes in the log: what the limit of one append counts. */
export const sizeOf = (message: ProposedMessage): number =>
  message.getData_asU8().length +
  message.getCustomMetadata_asU8().length +
  2 * (message.getMetadataMap().get('type')?.length ?? 0);

/** An event that a client wants appended, ready for the log. */
export const prepare = (message: ProposedMessage): E.Either<ServiceError, PreparedEvent> => {
  const id = readUuid(message.getId());
  if (id === null) return E.left(invalid("the event's id is no UUID"));
  const type = message.getMetadataMap().get('type');
  if (type === undefined || type === '') return E.left(propertyMissing('type'));
  const contentType = message.getMetadataMap().get('content-type');
  if (contentType === undefined) return E.left(propertyMissing('content-type'));
  const stored = toStored(
    {
      isJson: contentType === 'application/json',
      data: message.getData_asU8(),
      metadata: message.getCustomMetadata_asU8(),
    },
    new Date(),
  );
  return E.right({ id, type, ...stored });
};
