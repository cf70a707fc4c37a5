import * as E from 'fp-ts/lib/Either.js';
import type { JsonFormat } from './document.js';
import type { ImportError } from './imported.js';

const toCamel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camelCased = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(camelCased);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [toCamel(name), camelCased(value)]));
};

/**
 * A format in both namings of Google: `startTime` as in the REST API, and `start_time` as in its Python clients. Errors
 * use the naming of the document.
 */
export const inBothNamings = (format: JsonFormat, isSnake: (json: unknown) => boolean): JsonFormat => ({
  recognises: (json) => format.recognises(json) || (isSnake(json) && format.recognises(camelCased(json))),
  read: (json) =>
    isSnake(json)
      ? E.mapLeft((error: ImportError) => ({ ...error, path: toSnake(error.path ?? '') }))(
          format.read(camelCased(json)),
        )
      : format.read(json),
});
