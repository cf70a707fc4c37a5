import { parse } from 'csv-parse/sync';
import { type FaceParts, type LineFormat, type Tally, type FaceBox, refuse, type TalkingScore } from '../format.js';
import { talkingScores, Sightings } from '../intervals.js';
import { RecordingChoice } from '../rows.js';
import { numberAt, secondsAt, toMicrosecond } from '../times.js';

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

const cellsOf = (text: string, line: number): ReadonlyArray<string> => {
  if (!text.includes('"')) return text.split(',');
  try {
    return parse(text, { relax_column_count: true, trim: true })[0] ?? [];
  } catch {
    return refuse(line, 'the quotation marks of the row are not closed');
  }
};

/** The rows of one face track, as far as they are kept. */
class Track {
  readonly visible = new Sightings(joinSeconds);
  readonly audible = new Sightings(joinSeconds);
  /** Only of tables with scores. */
  readonly scores: TalkingScore[] = [];
  /** Rows for each speaker that the column names. */
  readonly speakers = new Map<string, number>();
  /** The first box of each second. */
  readonly boxes = new Map<number, FaceBox>();

  addBox(at: number, corner: (column: number, name: string) => number): void {
    const before = this.boxes.get(Math.floor(at));
    if (before !== undefined && before.at <= at) return;
    const [left, top] = [corner(2, 'x1'), corner(3, 'y1')];
    this.boxes.set(Math.floor(at), { at, left, top, width: corner(4, 'x2') - left, height: corner(5, 'y2') - top });
  }

  addSpeaker(speaker: string): void {
    if (unknownSpeaker.test(speaker)) return;
    const count = this.speakers.get(speaker);
    this.speakers.set(count === undefined ? copyOf(speaker) : speaker, (count ?? 0) + 1);
  }
}

/** A copy of a string. A slice would keep the whole block of text in memory from which it was taken. */
const copyOf = (text: string): string => Buffer.from(text).toString();

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
  let header: ReadonlyArray<string> | null = null;
  let ninth: Ninth = null;
  let [line, rows, columns] = [0, 0, 0];
  for (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const cells = cellsOf(text, line);
    const cell = (column: number): string => cells[column]?.trim() ?? '';
    const numberIn = (column: number, name: string): number => numberAt(line, name, cell(column));
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
    if (!recording.takes(cell(0), line)) continue;
    const at = secondsAt(line, 'timestamp', numberIn(1, 'timestamp'));
    const [said, id] = [cell(6), cell(7)];
    if (said !== audible && !otherLabels.includes(said))
      refuse(line, `label ${JSON.stringify(cells[6])} is not one of ${[...otherLabels, audible].sort().join(', ')}`);
    if (id === '') refuse(line, 'the entity id is empty');
    const track = tracks.get(id) ?? new Track();
    if (!tracks.has(id)) tracks.set(copyOf(id), track);
    track.addBox(at, numberIn);
    track.visible.add(at);
    if (said === audible) track.audible.add(at);
    if (ninth === 'speaker') track.addSpeaker(cell(8));
    if (ninth !== 'score') continue;
    const score = numberIn(8, 'score');
    if (score < 0 || score > 1) refuse(line, `score ${score} is not between 0 and 1`);
    track.scores.push({ start: at, end: toMicrosecond(at + frameSeconds), score });
  }
  return { recording: recording.chosen(), rows, faces: facesOf(tracks, reading.notes) };
};

const isRow = (line: string): boolean => {
  const cells = line.split(',');
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
