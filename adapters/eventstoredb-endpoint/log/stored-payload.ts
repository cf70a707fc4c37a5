import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../../../domain/kernel/json.js';

/** The content of an event, without its place. */
export interface Payload {
  readonly isJson: boolean;
  readonly data: string | Uint8Array;
  /** Empty if the client sent none. */
  readonly metadata: string | Uint8Array;
  /** Milliseconds since 1970. */
  readonly created: number;
}

interface Stored {
  readonly data: string;
  readonly metadata: string;
}

/** Metadata that was not written by this service is wrapped, so that nothing a client sent is lost. */
const Wrapped = t.intersection([
  t.type({ $created: t.string }),
  t.partial({ $binary: t.boolean, $data_base64: t.string, $metadata: t.unknown, $metadata_base64: t.string }),
]);

const wrapper = '{"$created":';
const recordedAt = '"recorded_at":"';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parse: (text: string) => Json = JSON.parse;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The bytes as the text of a JSON value; null if they are not one. */
const jsonText = (bytes: Uint8Array): string | null => {
  const text = E.tryCatch(() => {
    const decoded = decoder.decode(bytes);
    parse(decoded);
    return decoded;
  }, E.toError);
  return E.isRight(text) ? text.right : null;
};

const recordedTime = (metadata: string): number | null => {
  const at = metadata.indexOf(recordedAt);
  if (at === -1) return null;
  const text = timestamp.exec(metadata.slice(at + recordedAt.length, at + recordedAt.length + 40))?.[0];
  return text === undefined ? null : Date.parse(text);
};

interface Sent {
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * An event's data and metadata as texts for the log. JSON with a `recorded_at` in its metadata, as this service writes
 * it, is stored unchanged; anything else is wrapped together with the time of arrival.
 */
export const toStored = ({ isJson, data, metadata }: Sent, now: Date): Stored => {
  const dataText = isJson ? jsonText(data) : null;
  const metadataText = metadata.length === 0 ? null : jsonText(metadata);
  const own = dataText !== null && metadataText !== null && !metadataText.startsWith(wrapper);
  if (own && metadataText.startsWith('{') && recordedTime(metadataText) !== null)
    return { data: dataText, metadata: metadataText };
  const marks = [
    `${wrapper}${JSON.stringify(now.toISOString())}`,
    ...(isJson ? [] : ['"$binary":true']),
    ...(dataText === null ? [`"$data_base64":"${base64(data)}"`] : []),
    ...(metadataText === null ? [] : [`"$metadata":${metadataText}`]),
    ...(metadataText === null && metadata.length > 0 ? [`"$metadata_base64":"${base64(metadata)}"`] : []),
  ];
  return { data: dataText ?? 'null', metadata: `${marks.join(',')}}` };
};

const wrappedText = (metadata: string): string | null => {
  const at = metadata.indexOf(',"$metadata":');
  return at === -1 ? null : metadata.slice(at + ',"$metadata":'.length, -1);
};

/** Reverses `toStored`. */
export const fromStored = ({ data, metadata }: Stored): Payload => {
  if (!metadata.startsWith(wrapper)) return { isJson: true, data, metadata, created: recordedTime(metadata) ?? 0 };
  const wrapped = Wrapped.decode(parse(metadata));
  if (E.isLeft(wrapped)) return { isJson: true, data, metadata, created: 0 };
  const { $created, $binary = false, $data_base64, $metadata_base64 } = wrapped.right;
  return {
    isJson: !$binary,
    data: $data_base64 === undefined ? data : Buffer.from($data_base64, 'base64'),
    metadata: $metadata_base64 === undefined ? (wrappedText(metadata) ?? '') : Buffer.from($metadata_base64, 'base64'),
    created: Date.parse($created),
  };
};
