import { type AvaFaces, type Entity, unknownSpeaker } from './ava-faces.js';
import { maxSeconds } from './fields.js';

const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;

const labels = ['NOT_SPEAKING', 'SPEAKING_AUDIBLE', 'SPEAKING_NOT_AUDIBLE'].map((label) => Buffer.from(`${label},`));
const audibleLabel = 1;

/** Up to 15 digits, dividing by a power of ten gives exactly the number that parsing the text would give. */
const maxDigits = 15;
const powers = Array.from({ length: maxDigits + 1 }, (_, exponent) => 10 ** exponent);

const startsWith = (block: Buffer, at: number, expected: Buffer): boolean => {
  if (at + expected.length > block.length) return false;
  for (let index = 0; index < expected.length; index += 1) if (block[at + index] !== expected[index]) return false;
  return true;
};

/** Where the line ends after an id (and a speaker) of plain ASCII characters; -1 if the line looks different. */
const endOfTail = (block: Buffer, from: number, hasSpeaker: boolean): number => {
  let at = from;
  let speaker = -1;
  for (; at < block.length; at += 1) {
    const byte = block[at] ?? 0;
    if (byte === lineFeed) break;
    if (byte === carriageReturn && (at + 1 === block.length || block[at + 1] === lineFeed)) break;
    if (byte === comma && hasSpeaker && speaker === -1 && at > from) speaker = at;
    else if (byte <= 0x20 || byte >= 0x7f || byte === comma) return -1;
  }
  return at > from && hasSpeaker === (speaker !== -1) ? at : -1;
};

/** The end of a row: its id, and the speaker if there is a ninth column. */
interface Tail {
  readonly bytes: Buffer;
  readonly entity: Entity;
  readonly speaker: string | null;
}

/** A small cache: rows of the faces that are visible at the same time alternate. */
const maxTails = 16;

const equals = (block: Buffer, from: number, to: number, expected: Buffer): boolean =>
  to - from === expected.length && block[to - 1] === expected[expected.length - 1] && startsWith(block, from, expected);

/**
 * Reads plain AVA rows from bytes, without creating strings or objects: rows of the expected recording with unsigned
 * decimal numbers, known labels and ids of plain ASCII characters. It skips any other row, which is then read as text,
 * so that errors are reported there.
 */
export class AvaScanner {
  readonly #faces: AvaFaces;
  #recording: Buffer | null = null;
  readonly #tails: Tail[] = [];
  /** The last number and the position after it. */
  #at = 0;
  #number = 0;

  constructor(faces: AvaFaces) {
    this.#faces = faces;
  }

  /** Sets the recording whose rows are read. */
  expect(recording: string | null): void {
    this.#recording = recording === null ? null : Buffer.from(`${recording},`);
  }

  /** Reads the row that starts here. Returns where the next line starts, or -1 if the row is not plain. */
  scan(block: Buffer, start: number, columns: number): number {
    if (this.#recording === null || !startsWith(block, start, this.#recording)) return -1;
    if (!this.#scanNumber(block, start + this.#recording.length)) return -1;
    const time = this.#number;
    if (time > maxSeconds) return -1;
    for (let corner = 0; corner < 4; corner += 1) if (!this.#scanNumber(block, this.#at)) return -1;
    const label = labels.findIndex((expected) => startsWith(block, this.#at, expected));
    if (label === -1) return -1;
    const from = this.#at + (labels[label]?.length ?? 0);
    const to = endOfTail(block, from, columns === 9);
    if (to === -1) return -1;
    const { entity, speaker } = this.#tailOf(block, from, to);
    entity.visible.add(time);
    if (label === audibleLabel) entity.audible.add(time);
    if (speaker !== null) entity.speakers.set(speaker, (entity.speakers.get(speaker) ?? 0) + 1);
    return (block[to] === carriageReturn ? to + 1 : to) + 1;
  }

  /** Reads digits with an optional decimal point, up to a comma. */
  #scanNumber(block: Buffer, from: number): boolean {
    let digits = 0;
    let value = 0;
    let decimals = -1;
    let at = from;
    for (; at < block.length && block[at] !== comma; at += 1) {
      const byte = block[at] ?? 0;
      if (byte === dot && decimals === -1 && digits > 0) decimals = 0;
      else if (byte >= zero && byte <= nine) {
        value = value * 10 + byte - zero;
        digits += 1;
        if (decimals !== -1) decimals += 1;
      } else return false;
    }
    this.#at = at + 1;
    this.#number = value / (powers[Math.max(decimals, 0)] ?? 1);
    return digits > 0 && digits <= maxDigits;
  }

  /** The entity and speaker of a row, from the cache if possible. */
  #tailOf(block: Buffer, from: number, to: number): Tail {
    for (const tail of this.#tails) if (equals(block, from, to, tail.bytes)) return tail;
    const bytes = Buffer.from(block.subarray(from, to));
    const [id = '', speaker = ''] = bytes.toString('latin1').split(',');
    const tail = { bytes, entity: this.#faces.entity(id), speaker: unknownSpeaker.test(speaker) ? null : speaker };
    this.#tails.unshift(tail);
    this.#tails.length = Math.min(this.#tails.length, maxTails);
    return tail;
  }
}
