import * as t from 'io-ts';

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const deepest = 32;

const isJsonWithin = (value: unknown, depth: number): value is Json => {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || depth === 0) return false;
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => isJsonWithin(part, depth - 1));
};

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isJsonWithin(value, deepest);

/** A JSON object of at most 32 levels, with finite numbers and well-formed strings only. */
export const JsonObject: t.Type<JsonObject> = new t.Type(
  'JsonObject',
  isJsonObject,
  (value, context) => (isJsonObject(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

/** A number that JSON can write. `t.number` also accepts NaN and infinities, which JSON writes as null. */
export const Finite = t.refinement(t.number, Number.isFinite, 'Finite');

/** Length of a well-formed string in bytes of UTF-8. */
export const utf8Length = (text: string): number => {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += 1;
    // A surrogate pair takes four bytes, two for each half.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 1;
  }
  return bytes;
};
