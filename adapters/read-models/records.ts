import type { ListedVideo, Listing, RecordSelection, VideoSelection } from '../../projections/queries.js';
import { videoView } from '../../projections/shown-records.js';
import { type Table, tables } from '../../projections/tables.js';
import { hasTag } from '../../projections/video-tags.js';
import type { AudioRow, AudioView, VideoRow, VideoView } from '../../projections/views.js';
import { toCursor } from '../runtime/cursor.js';
import { type Statements, textOf } from './sqlite.js';
import { type Place, type StoredTables, readFitting } from './stored-table.js';

const { videos, audios, videoTags } = tables;

/** A row in the order of a list, without its content. */
interface Scanned {
  readonly number: number;
  readonly place: Place;
  /** Whether it matches the selection, as far as the columns tell. */
  readonly fits: boolean;
}

type Value = string | number | null | Buffer;

/** In SQLite's order blobs come after all texts, and the empty text before them. */
const afterAll = Buffer.alloc(0);
const beforeAll = '';

const columns = { created_at: 'created_at', updated_at: 'updated_at', title: 'title_order' } as const;

/** The column to sort by. Among those that wait for their analysis, only these are examined. */
const columnOf = ({ sort, status }: RecordSelection): string =>
  sort === 'created_at' && status === 'queue' ? 'waits_since' : columns[sort];

/** A part of a list: the condition for its rows, and the parameters `?3` to `?5` of that. */
interface Part {
  readonly where: string;
  readonly low: Value;
  readonly high: Value;
  readonly key: string;
}

/** The parts that remain of a list after a place: rows with an equal value, with a later one, and without a value. */
const partsAfter = (selection: RecordSelection, column: string, place: Place | null): ReadonlyArray<Part> => {
  const { sort, created, descending } = selection;
  const isBounded = sort === 'created_at';
  const low = (isBounded ? created.from : null) ?? beforeAll;
  const high = (isBounded ? created.to : null) ?? afterAll;
  const none = (key: string): Part => ({ where: `${column} IS NULL AND key > ?5`, low, high, key });
  const last = sort === 'title' ? [none('')] : [];
  const from = { where: `${column} >= ?3 AND ${column} < ?4`, low, high, key: '' };
  if (place === null) return [from, ...last];
  const [value, key] = place;
  if (value === null) return [none(key)];
  const equal = { where: `${column} = ?3 AND key > ?5`, low: value, high, key };
  const beyond = { ...from, where: `${column} > ?3 AND ${column} < ?4`, low: value };
  return [equal, descending ? { ...from, high: value } : beyond, ...last];
};

/** How the rows of videos or audios are listed. */
interface Scan {
  readonly table: string;
  /** The column with the other record's id. */
  readonly linked: string;
  /** Whether a row needs review, as SQL. */
  readonly needsReview: string;
}

/** Scans at most `limit` rows of videos or audios in the order of a selection, after a place. */
const scanRecords =
  (statements: Statements, { table, linked, needsReview }: Scan) =>
  (selection: RecordSelection, needs_review: boolean | null, place: Place | null, limit: number) => {
    const { owner_id, status, linked_id, title, created, descending } = selection;
    const column = columnOf(selection);
    // Every statement names all parameters, so that they can all be bound in the same way.
    const fits = `(?6 IS NULL OR status = ?6) AND (?7 IS NULL OR ${linked} = ?7) AND (?8 IS NULL OR instr(title, ?8) > 0)
      AND (?9 IS NULL OR created_at >= ?9) AND (?10 IS NULL OR created_at < ?10)
      AND (?11 IS NULL OR ${needsReview} = ?11) AND ?2 IS ?2 AND ?3 IS ?3 AND ?4 IS ?4 AND ?5 IS ?5`;
    const filters = [
      status,
      linked_id,
      title,
      created.from,
      created.to,
      needs_review === null ? null : Number(needs_review),
    ];
    const scanned: Scanned[] = [];
    for (const { where, low, high, key } of partsAfter(selection, column, place)) {
      if (scanned.length >= limit) break;
      const found = statements(
        `SELECT number, CAST(key AS BLOB), CAST(${column} AS BLOB), ${fits} FROM ${table}
         WHERE ${owner_id === null ? '' : 'owner_id = ?2 AND '}${where}
         ORDER BY ${column} ${descending ? 'DESC' : 'ASC'}, key LIMIT ?1`,
      ).all(limit - scanned.length, owner_id, low, high, key, ...filters);
      for (const [number, id, value, isFitting] of found)
        scanned.push({ number: Number(number), place: [textOf(value), textOf(id) ?? ''], fits: isFitting === 1 });
    }
    return scanned;
  };

/** How many bytes of tags are searched at once. */
const maxTagBytes = 4_000_000;

/** The first rows whose tags may contain a key, judging by their text; searches a limited number of bytes. */
const mayHaveTag = (statements: Statements) => {
  const lengthOf = statements(`SELECT octet_length(row) FROM ${videoTags.name} WHERE key = ?`);
  const find = statements(`SELECT instr(row, ?2) FROM ${videoTags.name} WHERE key = ?1`);
  return (scanned: ReadonlyArray<Scanned>, tag: string): ReadonlyArray<Scanned> => {
    const searched: Scanned[] = [];
    let bytes = 0;
    for (const row of scanned) {
      const [, key] = row.place;
      const length = row.fits ? Number(lengthOf.first(key)[0] ?? 0) : 0;
      bytes += length;
      if (bytes > maxTagBytes && searched.length > 0) break;
      const fits = length > 0 && Number(find.first(key, `{"key":${JSON.stringify(tag)},`)[0]) > 0;
      searched.push({ ...row, fits });
    }
    return searched;
  };
};

/** Reads rows by their numbers, in this order: as many as fit into the size limit, and at least one. */
const readByNumber = <Row>(statements: Statements, table: Table<Row>, size: string) => {
  const from = `json_each(?1) AS wanted CROSS JOIN ${table.name} ON ${table.name}.number = wanted.value`;
  const read = readFitting(statements, table, { from, rest: '', size });
  return (numbers: ReadonlyArray<number>): ReadonlyArray<Row> =>
    read(JSON.stringify(numbers), numbers.length).rows.map(({ row }) => row);
};

/** How many rows are examined at once when a selection excludes rows. */
const window = 2_000;

const isNarrow = ({ status, linked_id, title, sort, created }: RecordSelection): boolean =>
  status !== null ||
  linked_id !== null ||
  title !== null ||
  (sort !== 'created_at' && (created.from !== null || created.to !== null));

/** The rows examined, and whether there may be more. */
interface Examined {
  readonly scanned: ReadonlyArray<Scanned>;
  readonly more: boolean;
}

const listing = <Row, Item>(
  { scanned, more }: Examined,
  limit: number,
  read: (numbers: ReadonlyArray<number>) => ReadonlyArray<Row>,
  show: (row: Row) => Item,
): Listing<Item> => {
  const fitting = scanned.filter(({ fits }) => fits);
  const rows = read(fitting.slice(0, limit).map(({ number }) => number));
  const last = rows.length < fitting.length ? fitting[rows.length - 1] : more ? scanned.at(-1) : undefined;
  return { items: rows.map(show), next_cursor: last === undefined ? null : toCursor(last.place) };
};

/** Joins videos with their tags. */
export const tagVideos =
  ({ videoTags: tags }: Pick<StoredTables, 'videoTags'>) =>
  (row: VideoRow): VideoView =>
    videoView(row, tags.get);

interface Shows {
  readonly tagged: (row: VideoRow) => VideoView;
  readonly shownAudio: (row: AudioRow) => AudioView;
  readonly audio: (audio_id: string) => AudioView | null;
}

/** The size of a video's row and its tags, and of its audio's row, in bytes, as SQL. */
const taggedSize = `octet_length(row) + ifnull(
  (SELECT octet_length(tags.row) FROM ${videoTags.name} AS tags WHERE tags.key = ${videos.name}.key), 0)`;
const audioSize = `ifnull((SELECT octet_length(own.row) FROM ${audios.name} AS own WHERE own.key = ${videos.name}.audio_id), 0)`;

/** Lists videos and audios page by page: as many as requested, or fewer if they are large or few of many match. */
export const recordLists = (statements: Statements, { tagged, shownAudio, audio }: Shows) => {
  const needsReview = '(needs_review IS NOT NULL)';
  const scanVideos = scanRecords(statements, { table: videos.name, linked: 'audio_id', needsReview });
  const scanAudios = scanRecords(statements, { table: audios.name, linked: 'video_id', needsReview: 'NULL' });
  const readVideos = readByNumber(statements, videos, taggedSize);
  const readExpanded = readByNumber(statements, videos, `${taggedSize} + ${audioSize}`);
  const readAudios = readByNumber(statements, audios, 'octet_length(row)');
  const searchTags = mayHaveTag(statements);

  const examineVideos = (selection: VideoSelection, place: Place | null, limit: number): Examined => {
    const { needs_review, tag } = selection;
    const most = isNarrow(selection) || needs_review !== null || tag !== null ? window : limit + 1;
    const scanned = scanVideos(selection, needs_review, place, most);
    const searched = tag === null ? scanned : searchTags(scanned, tag.key);
    return { scanned: searched, more: scanned.length === most || searched.length < scanned.length };
  };
  return {
    videos: (selection: VideoSelection, place: Place | null, limit: number): Listing<ListedVideo> => {
      const { tag, with_audio } = selection;
      const examined = examineVideos(selection, place, limit);
      const { items, next_cursor } = listing(examined, limit, with_audio ? readExpanded : readVideos, tagged);
      const audioOf = ({ record }: VideoView): AudioView | null =>
        with_audio && record.audio_id !== null ? audio(record.audio_id) : null;
      return {
        items: items
          .filter(({ record }) => tag === null || hasTag(record.tags, tag))
          .map((view) => ({ ...view, audio: audioOf(view) })),
        next_cursor,
      };
    },
    audios: (selection: RecordSelection, place: Place | null, limit: number): Listing<AudioView> => {
      const most = isNarrow(selection) ? window : limit + 1;
      const scanned = scanAudios(selection, null, place, most);
      return listing({ scanned, more: scanned.length === most }, limit, readAudios, shownAudio);
    },
  };
};
