import type * as t from 'io-ts';

/** Where ids come from. */
export interface Ids {
  /** A new UUID. */
  readonly random: () => string;
  /** The UUID that always follows from a cause and a name: a repetition gets the same. */
  readonly derived: (cause: string, name: string) => string;
  /** A digest of a text: equal texts, equal digests. */
  readonly digest: (text: string) => string;
  /** 256 random bits as text: an API key. */
  readonly secret: () => string;
  /** 256 random bits as text: a token that opens one thing for a while. */
  readonly token: () => string;
}

/** A new UUID as an id of one kind. Every kind of id admits UUIDs; a codec that does not is a fault of ours. */
export const newId = <Id extends string>(ids: Pick<Ids, 'random'>, codec: t.Type<Id, string>): Id => {
  const id = ids.random();
  if (codec.is(id)) return id;
  throw new TypeError(`a UUID is no ${codec.name}`);
};
