import { ImportRefusal } from './imported.js';

const snake = /^[a-z]+(?:_[a-z0-9]+)+$/;

const toCamel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isSnake = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  (Array.isArray(json)
    ? json.some(isSnake)
    : Object.entries(json).some(([name, value]) => snake.test(name) || isSnake(value)));

const camelCased = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(camelCased);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [snake.test(name) ? toCamel(name) : name, camelCased(value)]),
  );
};

/**
 * Reads a document of Google in either naming: `startTime` as in the REST API, `start_time` as in its Python clients.
 * Errors use the naming of the document.
 */
export const inBothNamings = <Parts>(json: unknown, read: (json: unknown) => Parts): Parts => {
  if (!isSnake(json)) return read(json);
  try {
    return read(camelCased(json));
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error;
    throw new ImportRefusal({ ...error.reason, path: toSnake(error.reason.path ?? '') });
  }
};
