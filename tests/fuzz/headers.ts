import * as fc from 'fast-check';

/** The sender of a request; see `setting.ts` for the keys. */
export type Role = 'owner' | 'stranger' | 'worker' | 'mediaWriter' | 'admin' | 'nobody' | 'wrong';

export const role: fc.Arbitrary<Role> = fc.oneof(
  { arbitrary: fc.constant<Role>('owner'), weight: 12 },
  { arbitrary: fc.constant<Role>('worker'), weight: 3 },
  { arbitrary: fc.constant<Role>('admin'), weight: 12 },
  { arbitrary: fc.constantFrom<Role>('stranger', 'mediaWriter', 'nobody', 'wrong'), weight: 2 },
);

export type Header = readonly [name: string, value: string];

const odd: Readonly<Record<string, ReadonlyArray<string>>> = {
  'If-Match': ['*', '"0"', '"1"', 'W/"3"', '7', '"x"', '', '"99999999999999999999"', '"1", "2"'],
  'If-None-Match': ['*', '"1"', 'W/"1"', 'x'],
  'Idempotency-Key': ['a', 'b', 'c', '', ' ', 'x'.repeat(255), 'x'.repeat(256), 'é', '"quoted"'],
  'X-Request-Id': ['mine', '', 'x'.repeat(129), 'a b', '<script>', '../..'],
  Accept: ['application/x-ndjson', '*/*', 'text/html', 'x', '', 'a/b;q=nan'],
  'Content-Type': ['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '', 'x'],
  Authorization: ['Bearer none', 'Basic eDp5', 'Bearer', 'Bearer  a  b', ''],
  Origin: ['https://example.com', 'null', 'x', ''],
  'X-Forwarded-For': ['127.0.0.1', ';'],
  'X-HTTP-Method-Override': ['DELETE'],
  Cookie: ['a=b', '__proto__=1'],
  Range: ['bytes=0-1'],
  Expect: ['100-continue', '200-maybe'],
  TE: ['trailers'],
  'Content-Language': ['x'],
  ['__proto__']: ['x'],
  constructor: ['x'],
};

const header: fc.Arbitrary<Header> = fc
  .constantFrom(...Object.keys(odd))
  .chain((name) => fc.constantFrom(...(odd[name] ?? ['x'])).map((value): Header => [name, value]));

/** Mostly none. */
export const headers: fc.Arbitrary<ReadonlyArray<Header>> = fc.oneof(
  { arbitrary: fc.constant<ReadonlyArray<Header>>([]), weight: 120 },
  { arbitrary: fc.array(header, { minLength: 1, maxLength: 3 }), weight: 40 },
  {
    arbitrary: fc.nat({ max: 300 }).map((count) => Array.from({ length: count }, (_, at): Header => [`X-${at}`, 'x'])),
    weight: 1,
  },
);
