import * as E from 'fp-ts/lib/Either.js';
import { providerDocuments } from '../../adapters/import/provider-documents.js';
import { readProviderDocument } from '../../adapters/import/read-provider-document.js';
import { median, quick, whole } from './support/figures.js';

/*
 * How long the thread that serves requests is held while a provider's document is read, in this thread and in a
 * process, as the service does. `provider-documents.js [--quick]`; WhisperX documents of 1, 10 and 20 MiB.
 */

const mebibyte = 1024 * 1024;
const anyFormat = { format: null, recordings: [], provider_supplied: null, fps: null };

const segment = (index: number): string => {
  const start = index * 4;
  const speaker = `SPEAKER_0${Math.floor(index / 3) % 4}`;
  const words = Array.from({ length: 12 }, (_, at) => {
    return { word: 'alpha', start: start + at * 0.3, end: start + at * 0.3 + 0.25, score: 0.912, speaker };
  });
  return JSON.stringify({ start, end: start + 3.55, text: 'alpha '.repeat(12), words, speaker });
};

const documentOf = (bytes: number): Uint8Array => {
  const segments: string[] = [];
  for (let index = 0, length = 0; length < bytes; index += 1) {
    const text = segment(index);
    segments.push(text);
    length += text.length + 1;
  }
  return new TextEncoder().encode(`{"language":"en","segments":[${segments.join(',')}]}`);
};

const milliseconds = 5;

/** The longest time in which a timer of 5 ms was not served, in ms. */
const longestHold = async (work: () => Promise<E.Either<unknown, unknown>>): Promise<number> => {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, milliseconds);
  const read = await work();
  await new Promise((resolve) => setTimeout(resolve, milliseconds * 4));
  clearInterval(timer);
  if (E.isLeft(read)) throw new Error('the document could not be read');
  return longest;
};

const runs = quick ? 1 : 3;
const documents = providerDocuments();
for (const size of quick ? [1] : [1, 10, 20]) {
  const held: Record<'here' | 'worker', number[]> = { here: [], worker: [] };
  for (let run = 0; run < runs; run += 1) {
    const bytes = documentOf(size * mebibyte);
    // oxlint-disable no-await-in-loop -- one run at a time, so that none disturbs another
    held.here.push(await longestHold(() => Promise.resolve(readProviderDocument(bytes, anyFormat))));
    held.worker.push(await longestHold(documents.read({ blocks: [bytes], length: bytes.length }, anyFormat)));
    // oxlint-enable no-await-in-loop
  }
  console.log(`${size} MiB: held ${whole(median(held.here))} ms here, ${whole(median(held.worker))} ms with a process`);
}
await documents.close();
