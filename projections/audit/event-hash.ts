import * as crypto from 'node:crypto';
import type { Json, JsonObject, Position } from '../../domain/kernel/recorded-event.js';

/** A stored event, as the audit reads it. */
export interface LoggedEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly metadata: Json;
  /** Why its data cannot be read and is empty: its key was destroyed by an erasure, or is missing. Absent if it can. */
  readonly withheld?: 'erased' | 'key_missing';
}

/** SHA-256 of a string in UTF-8, as 64 hexadecimal digits. */
export const sha256: (text: string) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text, 'hex')
    : (text) => crypto.createHash('sha256').update(text).digest('hex');

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const hashForm = /^[0-9a-f]{64}$/;

/** The stored hash of an event; null if it was written before hashes were introduced. */
export const hashOf = ({ metadata }: Pick<LoggedEvent, 'metadata'>): string | null => {
  const hash = isObject(metadata) ? metadata['hash'] : undefined;
  return typeof hash === 'string' && hashForm.test(hash) ? hash : null;
};

/** Metadata without the hash. */
export const withoutHash = <Metadata extends Json>(metadata: Metadata): Metadata | JsonObject => {
  const json: Json = metadata;
  if (!isObject(json) || !('hash' in json)) return metadata;
  const { hash: _hash, ...rest } = json;
  return rest;
};

/** Strings without these characters need no escaping in JSON. */
const mayNeedEscape = /[^\w.:-]/;

const quoted = (text: string): string => (mayNeedEscape.test(text) ? JSON.stringify(text) : `"${text}"`);

type Place = Pick<LoggedEvent, 'stream' | 'revision' | 'id' | 'type'>;

/** The hash of an event from the JSON text of its data and of its metadata without the hash. */
export const hashOfTexts = (
  { stream, revision, id, type }: Place,
  { data, metadata }: { readonly data: string; readonly metadata: string },
  previous: string | null,
): string => {
  const place = `${quoted(stream)},${revision},${quoted(id)},${quoted(type)}`;
  const end = previous === null ? 'null' : `"${previous}"`;
  return sha256(`[${place},${data},${metadata},${end}]`);
};

/**
 * The expected hash of an event: SHA-256 of the JSON text of `[stream, revision, id, type, data, metadata, previous]`.
 * `metadata` is without the hash; `previous` is the hash of the previous event in the stream, null for the first and if
 * that has none. The JSON text is the one ECMAScript produces (no white space, keys in stored order), so it is unique.
 */
export const eventHash = (event: Omit<LoggedEvent, 'position'>, previous: string | null): string =>
  hashOfTexts(
    event,
    { data: JSON.stringify(event.data), metadata: JSON.stringify(withoutHash(event.metadata)) },
    previous,
  );
