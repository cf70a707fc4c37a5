import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type FaceParts, toFaces } from './faces.js';
import { asSeconds } from './fields.js';
import type { ImportedFaces, ImportError } from './imported.js';
import { type JsonRow, JsonRows } from './json-rows.js';
import { errorAt, type LineParser, accepted } from './line-parser.js';
import { Sightings } from './sightings.js';
import { Tally } from './tally.js';

/** ASW has five frames a second: a row covers the 0.2 s around its time. */
const stepSeconds = 0.2;

const AswRow = t.intersection([
  t.type({ time: t.number, label: t.union([t.literal(0), t.literal(1)]) }),
  t.partial({ bbox: t.array(t.number), eval: t.number }),
]);
type AswRow = t.TypeOf<typeof AswRow>;

const expectations: Readonly<Record<string, string>> = {
  time: 'a number of seconds',
  label: '0 (silent) or 1 (talking)',
  bbox: 'a list of numbers',
  eval: 'a number',
};

const parseJson = (json: string): E.Either<string, unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(json),
    (error) => (error instanceof Error ? error.message : String(error)),
  );

/** The line that has this field of the row. */
const lineOfField = ({ json, line }: JsonRow, field: string): number => {
  const at = json.indexOf(`"${field}"`);
  return at === -1 ? line : line + json.slice(0, at).split('\n').length - 1;
};

const decodeRow = (row: JsonRow): E.Either<ImportError, AswRow> => {
  const value = parseJson(row.json);
  if (E.isLeft(value)) return errorAt(row.line, `the row that starts here is not valid JSON: ${value.left}`);
  const decoded = AswRow.decode(value.right);
  if (E.isRight(decoded)) {
    const time = asSeconds('time', decoded.right.time);
    return E.isLeft(time) ? errorAt(lineOfField(row, 'time'), time.left) : decoded;
  }
  const path = decoded.left[0]?.context.map(({ key }) => key) ?? [];
  const field = path.find((key) => Object.hasOwn(expectations, key)) ?? 'time';
  return errorAt(lineOfField(row, field), `${field} is not ${expectations[field] ?? 'as expected'}`);
};

class AswJsonParser implements LineParser<ImportedFaces> {
  readonly #tracks = new Map<string, { visible: Sightings; talking: Sightings }>();
  readonly #json = new JsonRows();
  #rows = 0;

  take(text: string, line: number): E.Either<ImportError, void> {
    const rows = this.#json.take(text, line);
    if (E.isLeft(rows)) return rows;
    for (const row of rows.right) {
      const decoded = decodeRow(row);
      if (E.isLeft(decoded)) return decoded;
      this.#rows += 1;
      const track = this.#tracks.get(row.track) ?? this.#newTrack(row.track);
      track.visible.add(decoded.right.time);
      if (decoded.right.label === 1) track.talking.add(decoded.right.time);
    }
    return accepted;
  }

  finish(lastLine: number): E.Either<ImportError, ImportedFaces> {
    const ended = this.#json.finish(lastLine);
    if (E.isLeft(ended)) return ended;
    if (this.#rows === 0) return errorAt(null, 'the file has no rows');
    const notes = new Tally();
    const half = stepSeconds / 2;
    const parts = [...this.#tracks].map(([key, { visible, talking }]): FaceParts => {
      notes.add(`visible interval of a single row; are rows more than ${stepSeconds} s apart?`, visible.singles());
      return { key, visible: [...visible.intervals(half, half)], audible: [...talking.intervals(half, half)] };
    });
    const { faces, seconds } = toFaces(parts);
    const summary = { recording: null, rows: this.#rows, seconds, dropped: [], notes: notes.notes() };
    return E.right({ faces, summary });
  }

  #newTrack(id: string): { visible: Sightings; talking: Sightings } {
    const track = { visible: new Sightings(stepSeconds), talking: new Sightings(stepSeconds) };
    this.#tracks.set(id, track);
    return track;
  }
}

/**
 * A parser of the annotations of ASW, the Active Speakers in the Wild data set (clovaai/lookwhostalking):
 * `{"track_000000": [{"time", "bbox", "label", "eval"}, …], …}` with times in seconds, five a second, and label 1
 * where the face talks. Each track is a face, since the format does not say which tracks show the same person.
 */
export const aswJsonParser = (): LineParser<ImportedFaces> => new AswJsonParser();
