import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { recordedLines } from './recorded-events.js';

/** The file to which requests and answers are appended while tests run, a line each; absent: none. */
const notesFile = process.env['RECORD_EXAMPLES'];
export const notesExamples = notesFile !== undefined;

const Note = t.intersection([t.type({ operation: t.string, answer: t.unknown }), t.partial({ request: t.unknown })]);
type Note = t.TypeOf<typeof Note>;

/** Records a request and its answer as an example of the operation. */
export const noteExample = (note: Note): void => {
  if (notesFile !== undefined) appendFileSync(notesFile, `${JSON.stringify(note)}\n`);
};

const maxSize = 1_500;

const sizeOf = ({ request, answer }: Note): number => JSON.stringify([request, answer]).length;

/** Replaces secrets that are shown only once. */
const withoutSecrets = (note: Note): Note => {
  const hidden: unknown = JSON.parse(
    JSON.stringify(note, (name, value: unknown) =>
      typeof value === 'string' &&
      (name === 'token' || name === 'credential' || (name === 'key' && /^.{30,}$/.test(value)))
        ? 'shown-once'
        : value,
    ),
  );
  return Note.is(hidden) ? hidden : note;
};

const file = join(process.cwd(), 'adapters', 'http', 'description', 'recorded-examples.json');

const Kept = t.type({ operations: t.record(t.string, t.UnknownRecord) });

const recordedExamples = (): Readonly<Record<string, unknown>> => {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Kept.is(parsed) ? parsed.operations : {};
};

/**
 * Writes the file of recorded examples: for each operation the most informative example that is not too long. An operation
 * without a new recording keeps its example.
 */
export const keepExamples = (from: string): void => {
  const best = new Map<string, Note>();
  for (const line of readFileSync(from, 'utf8')
    .split('\n')
    .filter((text) => text !== '')) {
    const note: unknown = JSON.parse(line);
    if (!Note.is(note)) continue;
    const [known, size] = [best.get(note.operation), sizeOf(note)];
    const isBetter =
      known === undefined ||
      (known.request === undefined && note.request !== undefined) ||
      ((known.request === undefined || note.request !== undefined) &&
        (size <= maxSize ? sizeOf(known) > maxSize || size > sizeOf(known) : size < sizeOf(known)));
    if (isBetter) best.set(note.operation, note);
  }
  const noted = [...best].map(([operation, note]): readonly [string, unknown] => {
    const { request, answer } = withoutSecrets(note);
    return [operation, { ...(request === undefined ? {} : { request }), answer }];
  });
  const operations = Object.fromEntries(
    Object.entries({ ...recordedExamples(), ...Object.fromEntries(noted) }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const events = Object.fromEntries(
    recordedLines('recorded-events.v1.ndjson')
      .toReversed()
      .map(({ type, data }) => [type, data]),
  );
  writeFileSync(file, `${JSON.stringify({ operations, events }, null, 1)}\n`);
};
