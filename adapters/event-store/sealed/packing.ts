import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { inflateSync } from 'fflate';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { commonText } from './common-text.js';
import { lz4 } from './lz4.js';
import { dataOfShaped, shapedData } from './shaped-data.js';

/** Texts from this length on, in bytes, are compressed: shorter ones hardly become shorter. */
const worthCompressing = 100;

/**
 * How many times longer a text may be than its compressed form: readers that ask for a number of stored bytes are given
 * no more than this many times as many in clear. What could be compressed further is stored as it is. A short text may
 * be: it is stored with metadata that is not compressed.
 */
const mostExpansion = 8;
/** The longest text, in bytes, that counts as short. */
const short = 4_096;

/**
 * The first byte tells how data was written: as its JSON is, deflated, deflated as short texts were once, by LZ4, or by
 * shapes, as most is.
 */
const [plain, deflated, deflatedShort, lz4Short, shaped] = [0, 1, 2, 3, 4];

const dictionary = Buffer.from(commonText);
const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
const forLong = { level: constants.Z_BEST_SPEED, dictionary };
/** zlib takes longer to get ready than LZ4 takes for all of a short text. */
const { compressed, expanded } = lz4(dictionary, short);

const inForm = (form: number, content: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(1 + content.length);
  bytes[0] = form;
  bytes.set(content, 1);
  return bytes;
};

/** The shorter of a text and its compressed form. */
const shorter = (text: Buffer, form: number, less: Uint8Array): Buffer =>
  less.length < text.length && (text.length <= short || less.length * mostExpansion >= text.length)
    ? inForm(form, less)
    : inForm(plain, text);

const bytesOfJson = (data: JsonObject): Buffer => Buffer.from(JSON.stringify(data));

const packedText = (text: Buffer): Buffer => {
  if (text.length < worthCompressing) return inForm(plain, text);
  return text.length <= short
    ? shorter(text, lz4Short, compressed(text))
    : shorter(text, deflated, deflateRawSync(text, forLong));
};

/** Data in fewer bytes than its JSON has, where that is worth it; it is there until the next call. */
export const packed = (data: JsonObject): Buffer => shapedData(shaped, data) ?? packedText(bytesOfJson(data));

/** The same for data that is long, beside the event loop. */
export const packedLater = async (data: JsonObject): Promise<Buffer> => {
  const text = bytesOfJson(data);
  return shorter(text, deflated, await deflate(text, forLong));
};

/** What a short text is inflated into: one after the other. */
const room = new Uint8Array(short);

const inflateShort = (content: Uint8Array): string => {
  const { buffer, length } = inflateSync(content, { dictionary, out: room });
  return Buffer.from(buffer, 0, length).toString('utf8');
};

const textOf = (bytes: Buffer): string => {
  if (bytes[0] === lz4Short) return expanded(bytes, 1);
  const content = bytes.subarray(1);
  if (bytes[0] === deflatedShort) return inflateShort(content);
  return (bytes[0] === deflated ? inflateRawSync(content, { dictionary }) : content).toString('utf8');
};

const parse: (text: string) => Json = JSON.parse;

/** The data of what was packed; throws on anything else. */
export const unpacked = (bytes: Buffer): Json => (bytes[0] === shaped ? dataOfShaped(bytes) : parse(textOf(bytes)));
