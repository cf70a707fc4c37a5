import { jsonLength } from '../../runtime/json-size.js';

/** Shorter JSON is written at once, in characters. */
const minSplit = 30_000;
/** The approximate length of a piece, in characters. */
const pieceLength = 60_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether the JSON of a value is longer than about `characters`. Examines no more of the value than needed. */
export const isLonger = (value: unknown, characters: number): boolean => jsonLength(value, characters) > characters;

function* written(value: unknown): Generator<string, void> {
  if (!isObject(value) || !isLonger(value, minSplit)) {
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

/** The JSON of plain data in pieces, so that other work can be done in between. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let piece = '';
  for (const text of written(value)) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
