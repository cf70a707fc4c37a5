import { gzipSync } from 'node:zlib';

const megabyte = 1_024 * 1_024;

/** Limits of bodies, in bytes. */
export const usualLimit = 2 * megabyte;
export const analysisLimit = 64 * megabyte;

/** JSON of a list of so many bytes, all of it the same item. */
export const listOf = (item: string, bytes: number): string =>
  `[${`${item},`.repeat(Math.max(0, Math.floor(bytes / (item.length + 1)) - 1))}${item}]`;

export const gzipped = (text: string | Uint8Array): Buffer => gzipSync(text, { level: 9 });

export const gzipHeader = { 'Content-Encoding': 'gzip' } as const;

/** So many levels of lists or objects around a null. */
export const deepList = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
export const deepObject = (levels: number): string => `${'{"a":'.repeat(levels)}null${'}'.repeat(levels)}`;

/** A completed analysis of a video with so many tracks on one face. */
export const tracksBody = (tracks: number): string => {
  const items = Array.from({ length: tracks }, (_, at) => `{"start":${at},"end":${at}.9}`);
  return `{"status":"completed","faces":[{"id":1,"tracks":[${items.join(',')}]}]}`;
};
