import type * as t from 'io-ts';
import type { Ids } from './ports/ids.js';

/** A new UUID as an id of one kind. Every kind of id admits UUIDs; a codec that does not is a fault of ours. */
export const newId = <Id extends string>(ids: Pick<Ids, 'random'>, codec: t.Type<Id, string>): Id => {
  const id = ids.random();
  if (codec.is(id)) return id;
  throw new TypeError(`a UUID is no ${codec.name}`);
};
