import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import * as t from 'io-ts';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { Json, JsonObject } from '../../../domain/kernel/recorded-event.js';

/** The form that this version of the service writes, and the only one that it reads. 1 and 2 were never released. */
export const sealedForm = 3;

/** Data as it is stored, in whatever form. `key` is the name of the key, `v` the form. */
export const SealedData = t.type({ sealed: t.string, key: t.string, v: t.number });

/** What an event's data is bound to: sealed data that is moved to another event cannot be opened. */
type Binding = Pick<StoredEvent, 'stream' | 'id' | 'type'>;

const fields =
  'suggested previous_named_by previous_role from into called total_tokens previous_deal_person_id roles provider_supplied ' +
  'speech_segments withdraws_block role_by removed renamed merged_into results quote pattern quote_location role_quote ' +
  'role_quote_location role_reason person_id score utterances transcript by audio_revision infer_roles model value_type ' +
  'deal_persons status turns transcript_id matches change_id role_accepted supersedes error changed_since position source ' +
  'analysis_id part first_revision ruled_out index value synthetic tags key previous owner_id speakers previous_name ' +
  'media_url faces talking captions deal_person_id category tracks replaced cause text parts role attribution ' +
  'candidate_run_ids late_write_suspected late reason title target_speaker_ids changes mode video_revision account_id kind';
const piece =
  '{"speaker_id":1,"start":0.5,"end":1.5,"text":" the and you that to I it is of "},{"speaker_id":2,"start":10,"end":12},';
const change =
  '"changes":[{"face_id":1,"before":{"name":"Face 1","speaker_id":null,"accuracy":null,"personality_traits":null},' +
  '"after":{"name":"Person A","speaker_id":1,"accuracy":0.9,"personality_traits":null},' +
  '"named_by":{"before":"analysis","after":"person"}}],"audio_id":"","video_id":"","run_id":"","at":"2026-01-01T12:00:00.000Z"}';

/**
 * Text that the data of many events has in common, the most frequent last: the compression dictionary. Stored data can
 * only be read with it, so it is part of the form and must never be changed.
 */
export const dictionary = Buffer.from(`${fields.replaceAll(/\w+/g, '"$&":')}${piece}${change}`);

/** Compressing shorter texts would take more of the time of a request than their bytes are worth. */
const worthCompressing = 1_000;
/**
 * How many times longer a text may be than its compressed form. Readers that ask for a number of stored bytes then
 * receive at most this many times as many in clear.
 */
const maxExpansion = 16;
/** Precedes compressed data; other data is the JSON of an object and begins with a brace. */
const compressed = Buffer.of(0);

/** The JSON of the data, compressed where that saves. */
const packed = (data: JsonObject): Buffer => {
  const text = Buffer.from(JSON.stringify(data));
  if (text.length < worthCompressing) return text;
  const less = deflateRawSync(text, { level: constants.Z_BEST_SPEED, dictionary });
  if (less.length >= text.length || less.length * maxExpansion < text.length) return text;
  text.fill(0);
  return Buffer.concat([compressed, less]);
};

const parse: (text: string) => Json = JSON.parse;

const unpacked = (content: Buffer): Json => {
  const text = content[0] === compressed[0] ? inflateRawSync(content.subarray(1), { dictionary }) : content;
  const data = parse(text.toString('utf8'));
  text.fill(0);
  return data;
};

const algorithm = 'aes-256-gcm';
const [nonceLength, authTagLength] = [12, 16];

const boundTo = ({ stream, id, type }: Binding): Buffer => Buffer.from(`${stream}\n${id}\n${type}`);

/** The key for data about several subjects: it can be derived only while the key of each of them exists. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

/** Encrypts data: nonce, ciphertext and tag in base64. */
export const sealText = (data: JsonObject, key: Uint8Array, event: Binding): string => {
  const [nonce, content] = [randomBytes(nonceLength), packed(data)];
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength }).setAAD(boundTo(event));
  const encrypted = [cipher.update(content), cipher.final()];
  // Small buffers share memory that is reused: clear text must not stay in it.
  content.fill(0);
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64');
};

/** Null when this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, event: Binding): Json => {
  const bytes = Buffer.from(text, 'base64');
  const end = bytes.length - authTagLength;
  if (end < nonceLength) return null;
  try {
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength })
      .setAAD(boundTo(event))
      .setAuthTag(bytes.subarray(end));
    const content = cipher.update(bytes.subarray(nonceLength, end));
    // All of it is decrypted already; this checks the tag.
    cipher.final();
    return unpacked(content);
  } catch {
    return null;
  }
};
