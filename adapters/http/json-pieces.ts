import { jsonLength } from '../../domain/kernel/size.js';

/** A value whose JSON is shorter than this is written in one go. */
const smallest = 30_000;
/** Pieces are about so long, in characters. */
const usual = 60_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether the JSON of a value is longer than about so many characters; looks no further than that. */
export const isLonger = (value: unknown, characters: number): boolean => jsonLength(value, characters) > characters;

function* written(value: unknown): Generator<string, void> {
  if (!isObject(value) || !isLonger(value, smallest)) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      yield index === 0 ? '[' : ',';
      yield* written(value[index]);
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    let before = '{';
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* written(part);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** The JSON of plain data in pieces, so that other work can be done between two of them. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let piece = '';
  for (const text of written(value)) {
    piece += text;
    if (piece.length < usual) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
