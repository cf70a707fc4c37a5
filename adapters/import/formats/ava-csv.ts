import { parse } from 'csv-parse/sync';
import { type FaceParts, type LineFormat, type Tally, type FaceBox, refuse, type TalkingScore } from '../format.js';
import { copyOf, faultOfSeconds, numberAt, toMicrosecond } from '../fields.js';
import { talkingScores, Sightings } from '../intervals.js';
import { RecordingChoice } from '../rows.js';

const audible = 'SPEAKING_AUDIBLE';
const otherLabels = ['NOT_SPEAKING', 'SPEAKING_NOT_AUDIBLE'];

/** A row is one frame: at AVA's 25 frames a second it covers 0.04 s from its timestamp on. */
const frameSeconds = 0.04;

/** Frames at most this far apart belong to one interval: some frames may be missing. */
const joinSeconds = 0.25;

/** AVA-AVD's speaker column has `01spk02` (clip 01, spk02 in its RTTM), `01NA` if nobody is heard, `-1` for no clip. */
const unknownSpeaker = /^(?:-1|\d*NA|<NA>|)$/;

/** What the ninth column holds; tables with more columns have ids of labels and instances there. */
type Ninth = 'speaker' | 'score' | null;

const isHeader = (columns: ReadonlyArray<string>): boolean => /timestamp/i.test(columns[1] ?? '');

const isFraction = (text: string): boolean => /^-?\d*\.\d+(?:[eE]-?\d+)?$/.test(text.trim());

const ninthOf = (header: ReadonlyArray<string> | null, row: ReadonlyArray<string>): Ninth => {
  const name = header?.[8]?.trim().toLowerCase();
  if (name !== undefined)
    return name.includes('score') || name.includes('pred')
      ? 'score'
      : name.includes('speaker') || name.includes('spk')
        ? 'speaker'
        : null;
  if (row.length !== 9) return null;
  return isFraction(row[8] ?? '') ? 'score' : 'speaker';
};

/** The corners of the box, which are read once a second only, stay in one cell, the sixth; the three before it are empty. */
const [boxStart, boxEnd] = [2, 6];

/** Cuts a row at its commas. Files have millions of rows, and this is twice as fast as `split`. */
const cut = (text: string): ReadonlyArray<string> => {
  const cells: string[] = [];
  let start = 0;
  for (let comma = text.indexOf(','); comma !== -1; comma = text.indexOf(',', comma + 1)) {
    const count = cells.length;
    if (count >= boxStart && count < boxEnd - 1) cells.push('');
    else {
      cells.push(text.slice(start, comma));
      start = comma + 1;
    }
  }
  cells.push(text.slice(start));
  return cells;
};

const cellsOf = (text: string, line: number): ReadonlyArray<string> => {
  if (!text.includes('"')) return cut(text);
  try {
    const cells = parse(text, { relax_column_count: true, trim: true })[0] ?? [];
    return cells.length < boxEnd ? cells : cells.with(boxEnd - 1, cells.slice(boxStart, boxEnd).join(','));
  } catch {
    return refuse(line, 'the quotation marks of the row are not closed');
  }
};

/** Files have millions of numbers: only what is no plain number is looked at closely, for the error. */
const numberIn = (line: number, name: string, text: string): number => {
  const plain = Number(text);
  return text !== '' && Number.isFinite(plain) ? plain : numberAt(line, name, text.trim());
};

const secondsIn = (line: number, text: string): number => {
  const plain = numberIn(line, 'timestamp', text);
  const fault = faultOfSeconds(plain);
  return fault === null ? plain : refuse(line, `timestamp ${fault}`);
};

/** The rows of one face track, as far as they are kept. */
class Track {
  readonly visible = new Sightings(joinSeconds);
  readonly audible = new Sightings(joinSeconds);
  /** Only of tables with scores. */
  readonly scores: TalkingScore[] = [];
  /** Rows for each speaker that the column names. */
  readonly speakers = new Map<string, number>();
  readonly boxes = new Map<number, FaceBox>();

  /** Keeps the first box of each second, and reads no others. */
  addBox(at: number, line: number, cells: ReadonlyArray<string>): void {
    const before = this.boxes.get(Math.floor(at));
    if (before !== undefined && before.at <= at) return;
    const [x1 = '', y1 = '', x2 = '', y2 = ''] = (cells[boxEnd - 1] ?? '').split(',');
    const [left, top] = [numberIn(line, 'x1', x1), numberIn(line, 'y1', y1)];
    const width = numberIn(line, 'x2', x2) - left;
    const height = numberIn(line, 'y2', y2) - top;
    this.boxes.set(Math.floor(at), { at, left, top, width, height });
  }

  addSpeaker(speaker: string): void {
    if (unknownSpeaker.test(speaker)) return;
    const count = this.speakers.get(speaker);
    this.speakers.set(count === undefined ? copyOf(speaker) : speaker, (count ?? 0) + 1);
  }

  addScore(at: number, score: number, line: number): void {
    if (score < 0 || score > 1) refuse(line, `score ${score} is not between 0 and 1`);
    this.scores.push({ start: at, end: toMicrosecond(at + frameSeconds), score });
  }
}

const mostFrequent = (speakers: ReadonlyMap<string, number>): string | null => {
  const [most] = [...speakers].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? null;
};

/**
 * Groups face tracks into faces: tracks with the same speaker are one face, a track without a known speaker is a face of
 * its own, and a track with several speakers gets the most frequent one.
 */
const facesOf = (tracks: ReadonlyMap<string, Track>, notes: Tally): ReadonlyArray<FaceParts> => {
  const groups = new Map<string, Track[]>();
  for (const [id, track] of tracks) {
    const speaker = mostFrequent(track.speakers);
    const key = speaker === null ? `entity ${id}` : `speaker ${speaker}`;
    const group = groups.get(key) ?? [];
    group.push(track);
    groups.set(key, group);
    notes.add('face track with several speakers: assigned to the most frequent one', track.speakers.size > 1 ? 1 : 0);
    notes.add(`visible interval of a single row; are rows more than ${joinSeconds} s apart?`, track.visible.singles());
  }
  notes.add('face track in the file; tracks of one speaker become one face', tracks.size);
  return [...groups].map(([key, group]) => {
    const visible = group.flatMap((track) => track.visible.intervals(0, frameSeconds));
    const scores = group.flatMap((track) => track.scores);
    const heard = group.flatMap((track) => track.audible.intervals(0, frameSeconds));
    const talking = scores.length > 0 ? scores : talkingScores(visible, heard);
    return { key, visible, talking, boxes: group.flatMap((track) => [...track.boxes.values()]) };
  });
};

const refuseColumns = (line: number, count: number, before: number): never =>
  refuse(
    line,
    count >= 8 && count <= 10
      ? `${count} columns, but the rows before have ${before}`
      : `${count} columns, but an AVA-ActiveSpeaker row has 8, 9 with a speaker or score, or 10 with ids`,
  );

const readAva: LineFormat['read'] = (lines, reading) => {
  const recording = new RecordingChoice(reading);
  const tracks = new Map<string, Track>();
  const trackOf = (id: string, line: number): Track => {
    if (id === '') refuse(line, 'the entity id is empty');
    const track = tracks.get(id) ?? new Track();
    if (!tracks.has(id)) tracks.set(copyOf(id), track);
    return track;
  };
  let last: { readonly id: string | null; readonly track: Track } = { id: null, track: new Track() };
  let header: ReadonlyArray<string> | null = null;
  let ninth: Ninth = null;
  let [line, rows, columns] = [0, 0, 0];
  for (const text of lines) {
    line += 1;
    if (text.length === 0 || text.trim() === '') continue;
    const cells = cellsOf(text, line);
    if (rows === 0 && header === null && isHeader(cells)) {
      header = cells;
      continue;
    }
    if (rows === 0) {
      columns = cells.length;
      ninth = ninthOf(header, cells);
    }
    if (cells.length !== columns || columns < 8 || columns > 10) refuseColumns(line, cells.length, columns);
    rows += 1;
    if (!recording.takes((cells[0] ?? '').trim(), line)) continue;
    const at = secondsIn(line, cells[1] ?? '');
    const said = (cells[6] ?? '').trim();
    if (said !== audible && !otherLabels.includes(said))
      refuse(line, `label ${JSON.stringify(cells[6])} is not one of ${[...otherLabels, audible].sort().join(', ')}`);
    const id = (cells[7] ?? '').trim();
    // Rows of a track usually follow each other: comparing is cheaper than looking the track up.
    if (id !== last.id) last = { id, track: trackOf(id, line) };
    const { track } = last;
    track.addBox(at, line, cells);
    track.visible.add(at);
    if (said === audible) track.audible.add(at);
    if (ninth === 'speaker') track.addSpeaker(cells[8]?.trim() ?? '');
    if (ninth === 'score') track.addScore(at, numberIn(line, 'score', cells[8] ?? ''), line);
  }
  return { recording: recording.chosen(), rows, faces: facesOf(tracks, reading.notes) };
};

const isRow = (line: string): boolean => {
  const cells = cut(line);
  return (
    cells.length >= 8 &&
    ((isHeader(cells) && /entity/i.test(cells[7] ?? '')) ||
      (/SPEAKING/.test(cells[6] ?? '') && /\d/.test(cells[1] ?? '')))
  );
};

/**
 * AVA-ActiveSpeaker v1.0 CSV (research.google.com/ava): `video_id,timestamp,x1,y1,x2,y2,label,entity_id` with the time of
 * a video frame in seconds and the corners of the face's box. A ninth column is AVA-AVD's speaker, or the talking score of
 * a prediction (TalkNet, LoCoNet). Rows may be in any order and repeat. Only the intervals that rows form are kept, not
 * the rows, so memory depends on the result and not on the file. A second video id is an error unless `recordings`
 * chooses one.
 */
export const avaCsv: LineFormat = {
  name: 'ava_csv',
  reads: 'lines',
  recognises: (start) => start.split('\n', 50).some(isRow),
  read: readAva,
};
