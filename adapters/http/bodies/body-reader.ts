import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type MalformedBody, decodeBody } from '../decode.js';
import type { LongFields } from './parse-large.js';

/** How one kind of body becomes what its endpoint works with. */
export interface BodyReader<Body> {
  /** What the body has to look like. */
  readonly codec: t.Mixed;
  /** The lists that are not held whole while a large body of this kind is read. */
  readonly longFields: LongFields;
  /** Decodes parsed JSON. The long lists may be any `Items`. */
  readonly read: (json: unknown) => E.Either<MalformedBody, Body>;
  /** Recognises what `read` made, when it comes back from another thread. */
  readonly is: (value: unknown) => value is Body;
}

/** Of a body that is decoded, and that is all. */
export const plainReader = <Body>(codec: t.Type<Body, unknown>): BodyReader<Body> => ({
  codec,
  longFields: {},
  read: (json) => decodeBody(codec, json),
  is: codec.is,
});
