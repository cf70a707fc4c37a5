import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../../../domain/kernel/json.js';

/** What a client says about an event, apart from its place. */
export interface Payload {
  readonly isJson: boolean;
  readonly data: string | Uint8Array;
  /** Empty when the client sent none. */
  readonly metadata: string | Uint8Array;
  /** Milliseconds since 1970. */
  readonly created: number;
}

interface Stored {
  readonly data: string;
  readonly metadata: string;
}

/** Metadata that is not of this service's own events is wrapped, so that nothing of what a client sent is lost. */
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

/** The bytes as the text of a JSON value; null when they are none. */
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
 * An event's data and metadata as the log's texts. JSON with a `recorded_at` in its metadata, as this service writes
 * it, is kept letter by letter; anything else goes into a wrapper with the time at which it came.
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

/** What `toStored` kept. */
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
