import type { ListedVideo, Listing, RecordSelection, VideoSelection } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import { hasValue, tagRowKey, type VideoTagRow } from '../../projections/tag-views.js';
import type { AudioView, VideoView } from '../../projections/views.js';
import { toCursor } from '../runtime/cursor.js';
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

/** How many rows are examined at once when a selection excludes rows. */
const window = 2_000;

const isNarrow = ({ status, linked_id, title, sort, created }: RecordSelection): boolean =>
  status !== null ||
  linked_id !== null ||
  title !== null ||
  (sort !== 'created_at' && (created.from !== null || created.to !== null));

/**
 * A page of what is shown of the rows that match; null is left out. It ends once it has `maxBytes`. `more`: whether there
 * may be rows after those scanned. `sizeOfTags`: of one that is shown.
 */
const pageOf = <View>(
  scanned: ReadonlyArray<Scanned>,
  more: boolean,
  limit: number,
  show: (key: string) => View | null,
  sizeOfTags: (view: View) => number,
): Listing<View> => {
  const fitting = scanned.filter(({ size }) => size !== null);
  const items: View[] = [];
  let [count, bytes] = [0, 0];
  for (const { key, size } of fitting.slice(0, limit)) {
    bytes += size ?? 0;
    if (count > 0 && bytes > maxBytes) break;
    count += 1;
    const view = show(key);
    if (view === null) continue;
    items.push(view);
    bytes += sizeOfTags(view);
  }
  const last = count < fitting.length ? fitting[count - 1] : more ? scanned.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : toCursor(last.place) };
};

/** The size of an audio's row in bytes, as SQL. */
const audioSize = `ifnull((SELECT octet_length(own.row) FROM ${audios.name} AS own WHERE own.key = ${videos.name}.audio_id), 0)`;

interface Shows {
  readonly video: (video_id: string) => VideoView | null;
  readonly audio: (audio_id: string) => AudioView | null;
  readonly tagRow: (key: string) => VideoTagRow | undefined;
}

/** Lists videos and audios page by page: as many as requested, or fewer if they are large or few of many match. */
export const recordLists = (statements: Statements, { video, audio, tagRow }: Shows) => ({
  videos: (selection: VideoSelection, place: Place | null, limit: number): Listing<ListedVideo> => {
    const { needs_review, tag, with_audio, linked_id } = selection;
    const most = isNarrow(selection) || needs_review !== null || tag !== null ? window : limit + 1;
    const size = with_audio ? `octet_length(row) + ${audioSize}` : 'octet_length(row)';
    const filters: ReadonlyArray<Condition> = [
      ['audio_id = ?', linked_id],
      ['(needs_review IS NOT NULL) = ?', needs_review === null ? null : Number(needs_review)],
      [
        `EXISTS (SELECT 1 FROM ${videoTags.name} AS tags WHERE tags.key = ${videos.name}.key || ' ' || ?)`,
        tag?.key ?? null,
      ],
    ];
    const scanned = scanRecords(statements, { table: videos.name, size, filters }, selection, place, most);
    const audioOf = ({ record }: VideoView): AudioView | null =>
      with_audio && record.audio_id !== null ? audio(record.audio_id) : null;
    const show = (video_id: string): ListedVideo | null => {
      const fits = tag === null || hasValue(tagRow(tagRowKey({ video_id, key: tag.key })), tag.value);
      const view = fits ? video(video_id) : null;
      return view && { ...view, audio: audioOf(view) };
    };
    return pageOf(scanned, scanned.length === most, limit, show, ({ record }) => JSON.stringify(record.tags).length);
  },
  audios: (selection: RecordSelection, place: Place | null, limit: number): Listing<AudioView> => {
    const most = isNarrow(selection) ? window : limit + 1;
    const filters: ReadonlyArray<Condition> = [['video_id = ?', selection.linked_id]];
    const listed = { table: audios.name, size: 'octet_length(row)', filters };
    const scanned = scanRecords(statements, listed, selection, place, most);
    return pageOf(scanned, scanned.length === most, limit, audio, () => 0);
  },
});
