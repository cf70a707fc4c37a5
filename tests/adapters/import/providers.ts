import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { describeError } from '../../../adapters/import/import-text.js';
import { type ReadDocument, readDocument } from '../../../adapters/import/read-document.js';
import { right } from './support.js';

/** Path of a sample of a provider's format; see the README beside it. */
export const sample = (name: string): string =>
  fileURLToPath(new URL(`../../../../tests/fixtures/providers/${name}`, import.meta.url));

export const textOf = (name: string): Promise<string> => readFile(sample(name), 'utf8');

export const readText = async (text: string | Uint8Array): Promise<ReadDocument> =>
  right(readDocument([Buffer.from(text)]));

/** The reason why a text cannot be imported, with its place; null if it can. */
export const faultOf = async (text: string | Uint8Array): Promise<string | null> => {
  const read = readDocument([Buffer.from(text)]);
  return E.isLeft(read) ? describeError(read.left) : null;
};

/** Counts of what was read: faces, faces with a name, intervals; speakers, with a name, turns, utterances, words. */
export const countsOf = ({ imported: { faces, speech } }: ReadDocument): string =>
  [
    ...(faces === null ? [] : [`faces ${faces.faces.length}`]),
    ...(faces === null ? [] : [`named ${faces.faces.filter(({ name }) => name !== null).length}`]),
    ...(faces === null ? [] : [`tracks ${faces.faces.flatMap(({ tracks }) => tracks).length}`]),
    ...(speech === null ? [] : [`speakers ${speech.speakers.length}`]),
    ...(speech === null ? [] : [`named ${speech.speakers.filter(({ name }) => name !== null).length}`]),
    ...(speech === null ? [] : [`turns ${speech.segments.length}`]),
    ...(speech?.transcript ? [`utterances ${speech.transcript.utterances.length}`] : []),
    ...(speech?.transcript ? [`words ${speech.transcript.words}`] : []),
  ].join(', ');
