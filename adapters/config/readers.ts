import * as O from 'fp-ts/lib/Option.js';
import { type Credits, parseCredits, zeroCredits } from '../../domain/kernel/credits.js';

/** Parses the text of a variable; null if it is invalid. */
export type Read<Value> = (text: string) => Value | null;

/** Reads a variable by name: its default, its parser, and a description of valid values. */
export type Reader = <Value>(name: string, otherwise: Value, reader: Read<Value>, wanted: string) => Value;

export const oneOf =
  <Value extends string>(values: ReadonlyArray<Value>): Read<Value> =>
  (text) =>
    values.find((value) => value === text) ?? null;

/** A switch. */
export const yesOrNo: Read<boolean> = (given) => (given === 'true' ? true : given === 'false' ? false : null);

export const text: Read<string> = (given) => (given.trim() === '' ? null : given);

/** An API key: it is sent in a header, so all characters are printable ASCII, and none is a space. */
export const apiKey: Read<string> = (given) => (/^[\x21-\x7E]+$/.test(given) ? given : null);

/** A text of at least `least` characters. */
export const longText =
  (least: number): Read<string> =>
  (given) =>
    given.length < least ? null : given;

export const integer =
  (least: number, most: number): Read<number> =>
  (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= least && value <= most ? value : null;
  };

export const credits: Read<Credits> = (given) => {
  const price = O.toNullable(parseCredits(given));
  return price === null || price < zeroCredits ? null : price;
};

export const httpUrl: Read<string> = (given) => (/^https?:\/\//i.test(given) && URL.canParse(given) ? given : null);

export const price = (text: string): Credits => O.getOrElse(() => zeroCredits)(parseCredits(text));

export const priceText = 'credits of 0 or more with at most 6 decimals';

const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text);

/** Items with commas between them. */
export const listOf =
  (isItem: (item: string) => boolean): Read<ReadonlyArray<string>> =>
  (given) => {
    const items = given.split(',').map((item) => item.trim());
    return items.every(isItem) ? items : null;
  };

/** Origins of pages, in lower case. */
export const origins: Read<ReadonlyArray<string>> = (given) => listOf(isOrigin)(given.toLowerCase());
