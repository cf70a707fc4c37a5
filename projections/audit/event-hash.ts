import * as crypto from 'node:crypto';
import type { Json, JsonObject } from '../../domain/kernel/json.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

/** An event as a log holds it. */
export interface LoggedEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly metadata: Json;
  /** Why its data cannot be read; left out where it can. */
  readonly withheld?: 'erased' | 'key_missing';
}

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export const sha256: (text: string) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text, 'hex')
    : (text) => crypto.createHash('sha256').update(text).digest('hex');

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const hashForm = /^[0-9a-f]{64}$/;

/** The hash that an event carries; null when it carries none, as all did before hashes were written. */
export const hashOf = ({ metadata }: Pick<LoggedEvent, 'metadata'>): string | null => {
  const hash = isObject(metadata) ? metadata['hash'] : undefined;
  return typeof hash === 'string' && hashForm.test(hash) ? hash : null;
};

/** Metadata as it was before the hash was added to it. */
export const withoutHash = (metadata: Json): Json => {
  if (!isObject(metadata) || !('hash' in metadata)) return metadata;
  const { hash: _hash, ...rest } = metadata;
  return rest;
};

/** Texts without any of these characters are the same in JSON, but for the quotes. */
const mayNeedEscape = /[^\w.:-]/;

const quoted = (text: string): string => (mayNeedEscape.test(text) ? JSON.stringify(text) : `"${text}"`);

type Place = Pick<LoggedEvent, 'stream' | 'revision' | 'id' | 'type'>;

/** The hash of an event whose data and metadata, without a hash, are written as JSON already. */
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
 * What an event's `hash` must be: SHA-256 of the JSON text of `[stream, revision, id, type, data, metadata, previous]`,
 * metadata without the hash, `previous` the hash of the stream's event before, null for the first and for one whose
 * predecessor has none. The text is the one that ECMAScript writes (no white space, keys in the order in which they are
 * stored), so that a value has one text alone.
 */
export const eventHash = (event: Omit<LoggedEvent, 'position'>, previous: string | null): string =>
  hashOfTexts(
    event,
    { data: JSON.stringify(event.data), metadata: JSON.stringify(withoutHash(event.metadata)) },
    previous,
  );
