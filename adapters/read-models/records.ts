import type { ListedVideo, Listing, RecordSelection, VideoSelection } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import { hasTag } from '../../projections/tag-views.js';
import type { AudioView, VideoView } from '../../projections/views.js';
import { toCursor } from '../runtime/cursor.js';
import { countFitting } from '../runtime/memory.js';
import { type Condition, type Statements, allOf, textOf } from './sqlite.js';
import { type Place, maxBytes } from './stored-table.js';

const { videos, audios, videoTags } = tables;

/** A row in the order of a list, without its content. */
interface Scanned {
  readonly key: string;
  readonly place: Place;
  /** How many bytes are read to show it; null if it does not match the selection, as far as the columns tell. */
  readonly size: number | null;
}

const columns = { created_at: 'created_at', updated_at: 'updated_at', title: 'title_order' } as const;

/** The column to sort by. Among those that wait for their analysis, only these are examined. */
const columnOf = ({ sort, status }: RecordSelection): string =>
  sort === 'created_at' && status === 'queue' ? 'waits_since' : columns[sort];

/** The parts that remain of a list after a place: rows with an equal value, with a later one, and without a value. */
const partsAfter = (
  { sort, created, descending }: RecordSelection,
  column: string,
  place: Place | null,
): ReadonlyArray<ReadonlyArray<Condition>> => {
  const bounds = sort === 'created_at' ? created : { from: null, to: null };
  // The empty text is the first one; without a value there is no order.
  const low: Condition = [`${column} >= ?`, bounds.from ?? ''];
  const high: Condition = [`${column} < ?`, bounds.to];
  const withoutValue = (after: string): ReadonlyArray<Condition> => [[`${column} IS NULL AND key > ?`, after]];
  const last = sort === 'title' ? [withoutValue('')] : [];
  if (place === null) return [[low, high], ...last];
  const [value, key] = place;
  if (value === null) return [withoutValue(key)];
  const equal: ReadonlyArray<Condition> = [
    [`${column} = ?`, value],
    ['key > ?', key],
  ];
  const later: ReadonlyArray<Condition> = descending
    ? [low, [`${column} < ?`, value]]
    : [[`${column} > ?`, value], high];
  return [equal, later, ...last];
};

/** Scans at most `limit` rows of videos or audios in the order of a selection, after a place. `size`: of a row, as SQL. */
const scanRecords = (
  statements: Statements,
  { table, size, filters }: { table: string; size: string; filters: ReadonlyArray<Condition> },
  selection: RecordSelection,
  place: Place | null,
  limit: number,
): ReadonlyArray<Scanned> => {
  const { owner_id, status, title, created, descending } = selection;
  const column = columnOf(selection);
  const fits = allOf([
    ...filters,
    ['status = ?', status],
    ['instr(title, ?) > 0', title],
    ['created_at >= ?', created.from],
    ['created_at < ?', created.to],
  ]);
  const scanned: Scanned[] = [];
  for (const part of partsAfter(selection, column, place)) {
    if (scanned.length >= limit) break;
    const where = allOf([['owner_id = ?', owner_id], ...part]);
    const found = statements(
      `SELECT CAST(key AS BLOB), CAST(${column} AS BLOB), CASE WHEN ${fits.sql} THEN ${size} END FROM ${table}
       WHERE ${where.sql} ORDER BY ${column} ${descending ? 'DESC' : 'ASC'}, key LIMIT ?`,
    ).all(...fits.values, ...where.values, limit - scanned.length);
    for (const [id, value, bytes] of found) {
      const key = textOf(id) ?? '';
      scanned.push({ key, place: [textOf(value), key], size: bytes === null ? null : Number(bytes) });
    }
  }
  return scanned;
};

/** How many bytes are searched for tags at once. */
const maxSearchedBytes = 4_000_000;

/** The first rows, of which those fit whose tags may contain a key, judging by their text. */
const searchTags = (statements: Statements, scanned: ReadonlyArray<Scanned>, tag: string): ReadonlyArray<Scanned> => {
  const find = statements(`SELECT instr(row, ?2) FROM ${videoTags.name} WHERE key = ?1`);
  const mayHaveTag = ({ key, size }: Scanned): boolean =>
    size !== null && Number(find.first(key, `{"key":${JSON.stringify(tag)},`)[0]) > 0;
  const count = countFitting(
    scanned.map(({ size }) => size ?? 0),
    maxSearchedBytes,
  );
  return scanned.slice(0, count).map((row) => (mayHaveTag(row) ? row : { ...row, size: null }));
};

/** How many rows are examined at once when a selection excludes rows. */
const window = 2_000;

const isNarrow = ({ status, linked_id, title, sort, created }: RecordSelection): boolean =>
  status !== null ||
  linked_id !== null ||
  title !== null ||
  (sort !== 'created_at' && (created.from !== null || created.to !== null));

/** The keys of a page; `more`: whether there may be rows after those scanned. */
const pageOf = (scanned: ReadonlyArray<Scanned>, more: boolean, limit: number): Listing<string> => {
  const fitting = scanned.filter(({ size }) => size !== null);
  const sizes = fitting.slice(0, limit).map(({ size }) => size ?? 0);
  const shown = fitting.slice(0, countFitting(sizes, maxBytes));
  const last = shown.length < fitting.length ? shown.at(-1) : more ? scanned.at(-1) : undefined;
  return { items: shown.map(({ key }) => key), next_cursor: last === undefined ? null : toCursor(last.place) };
};

/** The size of a video's row and its tags, and of its audio's row, in bytes, as SQL. */
const taggedSize = `octet_length(row) + ifnull(
  (SELECT octet_length(tags.row) FROM ${videoTags.name} AS tags WHERE tags.key = ${videos.name}.key), 0)`;
const audioSize = `ifnull((SELECT octet_length(own.row) FROM ${audios.name} AS own WHERE own.key = ${videos.name}.audio_id), 0)`;

interface Shows {
  readonly video: (video_id: string) => VideoView | null;
  readonly audio: (audio_id: string) => AudioView | null;
}

/** Lists videos and audios page by page: as many as requested, or fewer if they are large or few of many match. */
export const recordLists = (statements: Statements, { video, audio }: Shows) => ({
  videos: (selection: VideoSelection, place: Place | null, limit: number): Listing<ListedVideo> => {
    const { needs_review, tag, with_audio, linked_id } = selection;
    const most = isNarrow(selection) || needs_review !== null || tag !== null ? window : limit + 1;
    const size = with_audio ? `${taggedSize} + ${audioSize}` : taggedSize;
    const filters: ReadonlyArray<Condition> = [
      ['audio_id = ?', linked_id],
      ['(needs_review IS NOT NULL) = ?', needs_review === null ? null : Number(needs_review)],
    ];
    const scanned = scanRecords(statements, { table: videos.name, size, filters }, selection, place, most);
    const searched = tag === null ? scanned : searchTags(statements, scanned, tag.key);
    const more = scanned.length === most || searched.length < scanned.length;
    const { items, next_cursor } = pageOf(searched, more, limit);
    const audioOf = ({ record }: VideoView): AudioView | null =>
      with_audio && record.audio_id !== null ? audio(record.audio_id) : null;
    return {
      items: items
        .flatMap((video_id) => video(video_id) ?? [])
        .filter(({ record }) => tag === null || hasTag(record.tags, tag))
        .map((view) => ({ ...view, audio: audioOf(view) })),
      next_cursor,
    };
  },
  audios: (selection: RecordSelection, place: Place | null, limit: number): Listing<AudioView> => {
    const most = isNarrow(selection) ? window : limit + 1;
    const filters: ReadonlyArray<Condition> = [['video_id = ?', selection.linked_id]];
    const listed = { table: audios.name, size: 'octet_length(row)', filters };
    const scanned = scanRecords(statements, listed, selection, place, most);
    const { items, next_cursor } = pageOf(scanned, scanned.length === most, limit);
    return { items: items.flatMap((audio_id) => audio(audio_id) ?? []), next_cursor };
  },
});
