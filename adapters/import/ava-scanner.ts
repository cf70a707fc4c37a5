import { type AvaFaces, type Entity, unknownSpeaker } from './ava-faces.js';
import { longestSeconds } from './fields.js';

const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;

const labels = ['NOT_SPEAKING', 'SPEAKING_AUDIBLE', 'SPEAKING_NOT_AUDIBLE'].map((label) => Buffer.from(`${label},`));
const audibleLabel = 1;

/** A quotient of exact numbers is as exact as reading the text: up to 15 digits, and up to 10 to the 15th. */
const mostDigits = 15;
const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent);

const startsWith = (block: Buffer, at: number, expected: Buffer): boolean => {
  if (at + expected.length > block.length) return false;
  for (let index = 0; index < expected.length; index += 1) if (block[at + index] !== expected[index]) return false;
  return true;
};

/** Where the line ends behind an id of plain characters, and the speaker if it has one; -1 where it is not so. */
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

/** What a row ends with: its id, and the speaker where there is a ninth column. */
interface Tail {
  readonly bytes: Buffer;
  readonly entity: Entity;
  readonly speaker: string | null;
}

/** More faces are seldom seen at once; rows of faces in turns find their tail among these. */
const mostTails = 16;

const equals = (block: Buffer, from: number, to: number, expected: Buffer): boolean =>
  to - from === expected.length && block[to - 1] === expected[expected.length - 1] && startsWith(block, from, expected);

/**
 * Reads AVA rows from bytes, without a text or an object for each, as long as they are plain: of the expected
 * recording, decimal numbers without sign and exponent, known labels, ids of plain characters. It takes no row of which it
 * is not sure, so that another reader may take that, or say what is wrong with it.
 */
export class AvaScanner {
  readonly #faces: AvaFaces;
  #recording: Buffer | null = null;
  readonly #tails: Tail[] = [];
  /** Where the last number ended, and what it was. */
  #at = 0;
  #number = 0;

  constructor(faces: AvaFaces) {
    this.#faces = faces;
  }

  /** From now on rows of this recording are taken. */
  expect(recording: string | null): void {
    this.#recording = recording === null ? null : Buffer.from(`${recording},`);
  }

  /** Takes the row that starts here: where the next line starts, or -1 when the row was not taken. */
  scan(block: Buffer, start: number, columns: number): number {
    if (this.#recording === null || !startsWith(block, start, this.#recording)) return -1;
    if (!this.#scanNumber(block, start + this.#recording.length)) return -1;
    const time = this.#number;
    if (time > longestSeconds) return -1;
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

  /** Digits with or without a dot among them, up to a comma. */
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
    return digits > 0 && digits <= mostDigits;
  }

  /** Rows of one face follow each other, or those of the faces that are seen at once: an id is seldom looked up. */
  #tailOf(block: Buffer, from: number, to: number): Tail {
    for (const tail of this.#tails) if (equals(block, from, to, tail.bytes)) return tail;
    const bytes = Buffer.from(block.subarray(from, to));
    const [id = '', speaker = ''] = bytes.toString('latin1').split(',');
    const tail = { bytes, entity: this.#faces.entity(id), speaker: unknownSpeaker.test(speaker) ? null : speaker };
    this.#tails.unshift(tail);
    this.#tails.length = Math.min(this.#tails.length, mostTails);
    return tail;
  }
}
