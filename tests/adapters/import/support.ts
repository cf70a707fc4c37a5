import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { describeError } from '../../../adapters/import/import-text.js';
import { type ReadDocument, readDocument } from '../../../adapters/import/read-document.js';
import type { ImportedFace, SpeakerTurn, Interval, Imported, ImportedSpeech } from '../../../adapters/import/format.js';

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

/** The name of a speaker; `#1` without a name, `#1 (agent)` with a role, `?` for the synthetic speaker. */
const whoIs = ({ speakers }: ImportedSpeech, id: number): string => {
  const speaker = speakers.find(({ speaker_id }) => speaker_id === id);
  const role = speaker?.role ? ` (${speaker.role})` : '';
  return (speaker?.name ?? (speaker?.synthetic === true ? '?' : `#${id}`)) + role;
};

const times = (list: ReadonlyArray<{ start: number; end: number; score?: number }>): string =>
  list.map(({ start, end, score }) => `${start}-${end}${score === undefined ? '' : `=${score}`}`).join(' ');

/**
 * What a document holds, a line each: `0-2 Ann: Hello there.` for utterances (`1-2 Ann` for turns without a transcript),
 * `face 0 1-3 5-6` for faces, with ` talking 1-2=0.9` if the format says when they talk.
 */
export const contentOf = ({ faces, speech }: Imported): ReadonlyArray<string> => [
  ...(faces?.faces ?? []).map(
    ({ id, name, tracks, talking }) =>
      `face ${name ?? String(id)} ${times(tracks)}${talking.length === 0 ? '' : ` talking ${times(talking)}`}`,
  ),
  ...(speech === null
    ? []
    : (
        speech.transcript?.utterances.map((one) => ({ ...one, said: `: ${one.text}` })) ??
        speech.segments.map((one) => ({ ...one, said: '' }))
      ).map(({ speaker_id, start, end, said }) => `${start}-${end} ${whoIs(speech, speaker_id)}${said}`)),
];

/** What was left out and noted, such as `2 interim result`. */
export const countedOf = ({ faces, speech }: Imported): ReadonlyArray<string> => {
  const { dropped, notes } = speech?.summary ?? faces?.summary ?? { dropped: [], notes: [] };
  return [...dropped, ...notes].map(({ count, what }) => `${count} ${what}`);
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
