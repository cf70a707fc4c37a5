import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { describeError } from '../../../adapters/import/import-text.js';
import { type ReadDocument, readDocument } from '../../../adapters/import/read-document.js';
import type { ImportedFace, SpeakerTurn, Interval } from '../../../adapters/import/format.js';

/** Path of a file of the fixtures. */
export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../tests/fixtures/${name}`, import.meta.url));

export const fixtureText = (name: string): string => readFileSync(fixture(name), 'utf8');

/** Path of a file of the shipped clips. */
export const clip = (name: string): string => fixture(`clips/${name}`);

/** Path of a sample of a provider's format; see the README beside it. */
export const sample = (name: string): string => fixture(`providers/${name}`);

export const textOf = (name: string): string => fixtureText(`providers/${name}`);

const demoClip = (name: string): string =>
  fileURLToPath(new URL(`../../../../adapters/composition/demo-clip/${name}`, import.meta.url));

export const avaFaces = demoClip('faces.csv');
export const avaTurns = demoClip('turns.rttm');
export const aswFaces = clip('asw-voxconverse/DT38D1C3_ZA.faces.json');

export const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');

/** The value of a success. */
export const right = <Value>(result: E.Either<unknown, Value>): Value => {
  if (E.isLeft(result)) throw new Error(`a success was expected, not ${JSON.stringify(result.left)}`);
  return result.right;
};

/** The error of a failure. */
export const left = <Failure>(result: E.Either<Failure, unknown>): Failure => {
  if (E.isRight(result)) throw new Error('a failure was expected');
  return result.left;
};

export const readText = (text: string | Uint8Array): ReadDocument => right(readDocument([Buffer.from(text)]));

/** The reason why a text cannot be imported, with its place; null if it can. */
export const faultOf = (text: string | Uint8Array): string | null => {
  const read = readDocument([Buffer.from(text)]);
  return E.isLeft(read) ? describeError(read.left) : null;
};

const Pairs = t.array(t.tuple([t.number, t.number]));
const Expected = t.type({
  faces: t.array(t.type({ id: t.number, tracks: Pairs, talking: Pairs })),
  speakers: t.array(t.type({ speaker_id: t.number, segments: Pairs })),
  gold: t.array(t.type({ face_id: t.number, speaker_id: t.number })),
});

/** The independently derived ground truth of a shipped clip. */
export const expectedOf = (name: string): t.TypeOf<typeof Expected> =>
  right(Expected.decode(JSON.parse(fixtureText(`clips/${name}`))));

const pair = ({ start, end }: Interval): [number, number] => [start, end];

/** Imported faces in the form of the expectation. */
export const asExpectedFaces = (faces: ReadonlyArray<ImportedFace>): t.TypeOf<typeof Expected>['faces'] =>
  faces.map(({ id, tracks, talking }) => ({
    id,
    tracks: tracks.map(pair),
    talking: talking.filter(({ score }) => score === 1).map(pair),
  }));

/** Asserts that turns are the expected ones, which are rounded to hundredths of a second. */
export const expectSpeakers = (
  segments: ReadonlyArray<SpeakerTurn>,
  expected: t.TypeOf<typeof Expected>['speakers'],
): void => {
  const turns = expected.flatMap(({ speaker_id, segments }) => segments.map((times) => ({ speaker_id, times })));
  const imported = segments.toSorted((a, b) => a.speaker_id - b.speaker_id || a.start - b.start);
  expect(imported.map(({ speaker_id }) => speaker_id)).to.deep.equal(turns.map(({ speaker_id }) => speaker_id));
  imported.forEach(({ start, end }, index) => {
    expect(start).to.be.closeTo(turns[index]?.times[0] ?? Number.NaN, 0.006);
    expect(end).to.be.closeTo(turns[index]?.times[1] ?? Number.NaN, 0.006);
  });
};
