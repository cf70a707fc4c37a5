const opaqueTags = (list: string): ReadonlyArray<string> => [...list.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);

/**
 * Whether a record with this ETag is one that the client has, according to `If-None-Match` (RFC 9110, 13.1.2): `*` is any
 * record, and ETags are compared without regard to `W/`. Express's `fresh` also reads `Cache-Control: no-cache`, which
 * `fetch` adds to each request with `If-None-Match`, but which only concerns caches between client and server.
 */
export const clientHas = (condition: string | undefined, etag: string | null): boolean => {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  const [tag] = etag === null ? [] : opaqueTags(etag);
  return tag !== undefined && opaqueTags(condition).includes(tag);
};
