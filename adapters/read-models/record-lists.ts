import Database from 'libsql';
import type { ShownTags, VideoTagsRow } from '../../projections/tag-views.js';
import { tables } from '../../projections/tables.js';
import { shownTags, hasTag } from '../../projections/video-tags.js';
import { videoView } from '../../projections/shown-records.js';
import type { VideoRow, VideoView, AudioRow, AudioView } from '../../projections/views.js';
import { countFitting } from '../runtime/json-size.js';
import type { Listing, ListedVideo, RecordSelection, VideoSelection } from '../../projections/queries.js';
import type { Table } from '../../projections/table.js';
import type { Session } from './session.js';
import { columnsOf, rowColumns } from './row-json.js';
import { maxBytes, readNumbered } from './found-rows.js';
import { type Place, toPlaceCursor } from './cursors.js';
import { type Scanned, scanRecords } from './scan-records.js';

/** Caches the visible tags of a row for as long as the row is in memory. */
const cacheShownTags = (): ((row: VideoTagsRow | null) => ShownTags) => {
  const known = new WeakMap<VideoTagsRow, ShownTags>();
  return (row) => {
    if (row === null) return shownTags(null);
    const tags = known.get(row) ?? shownTags(row);
    known.set(row, tags);
    return tags;
  };
};

/** The size of a video's row and its tags in bytes, as SQL. */
const taggedSize = `octet_length(row) + ifnull(
  (SELECT octet_length(tags.row) FROM ${tables.videoTags.name} AS tags WHERE tags.key = ${tables.videos.name}.key), 0)`;

/** Joins videos with their tags. */
export const tagVideos = ({ rows }: Pick<Session, 'rows'>): ((row: VideoRow) => VideoView) => {
  const shown = cacheShownTags();
  /** A commit may come between the two reads: the tags may then be newer than the video's revision, but never older. */
  return (row) =>
    videoView(row, (video_id, least) => shown(rows.videoTags.committed(video_id, ({ revision }) => revision >= least)));
};

const { videos, audios, videoTags } = tables;

/** How many rows are examined at once when a selection excludes rows. */
const window = 2_000;
/** How many bytes of tags are searched at once. */
const maxTagBytes = 4_000_000;

const isNarrow = ({ status, linked_id, title, sort, created }: RecordSelection): boolean =>
  status !== null ||
  linked_id !== null ||
  title !== null ||
  (sort !== 'created_at' && (created.from !== null || created.to !== null));

/** Reads rows by their numbers, in this order: as many as fit into the size limit, and at least one. */
const readByNumber = <Row>(db: Database.Database, table: Table<Row>, size: string) => {
  const these = `FROM json_each(?1) AS wanted CROSS JOIN ${table.name} ON ${table.name}.number = wanted.value`;
  const sizes = db.prepare(`SELECT ${size} ${these}`).raw(true);
  const select = db.prepare(`SELECT number, ${rowColumns} ${these}`).raw(true);
  return (numbers: ReadonlyArray<number>): ReadonlyArray<Row> => {
    const found = sizes.all(JSON.stringify(numbers)).map((result) => Number(columnsOf(result)[0]));
    const fitting = numbers.slice(0, countFitting(found, maxBytes));
    return select.all(JSON.stringify(fitting)).map((result) => readNumbered(table, result).row);
  };
};

/** The first rows whose tags may contain a key, judging by their text; searches a limited number of bytes. */
const mayHaveTag = (db: Database.Database) => {
  const lengthOf = db.prepare(`SELECT octet_length(row) FROM ${videoTags.name} WHERE key = ?`).raw(true);
  const find = db.prepare(`SELECT instr(row, ?2) FROM ${videoTags.name} WHERE key = ?1`).raw(true);
  return (scanned: ReadonlyArray<Scanned>, tag: string): ReadonlyArray<Scanned> => {
    const looked: Scanned[] = [];
    let bytes = 0;
    for (const row of scanned) {
      const length = row.fits ? Number(columnsOf(lengthOf.get(row.key))[0] ?? 0) : 0;
      bytes += length;
      if (bytes > maxTagBytes && looked.length > 0) break;
      const fits = length > 0 && Number(columnsOf(find.get(row.key, `[${JSON.stringify(tag)},`))[0]) > 0;
      looked.push({ ...row, fits });
    }
    return looked;
  };
};

/** The rows examined, and whether there may be more. */
interface Look {
  readonly scanned: ReadonlyArray<Scanned>;
  readonly more: boolean;
}

const listing = <Row, Item>(
  { scanned, more }: Look,
  limit: number,
  read: (numbers: ReadonlyArray<number>) => ReadonlyArray<Row>,
  show: (row: Row) => Item,
): Listing<Item> => {
  const fitting = scanned.filter(({ fits }) => fits);
  const rows = read(fitting.slice(0, limit).map(({ number }) => number));
  const last = rows.length < fitting.length ? fitting[rows.length - 1] : more ? scanned.at(-1) : undefined;
  return { items: rows.map(show), next_cursor: last === undefined ? null : toPlaceCursor(last) };
};

const inTransaction = <A>(db: Database.Database, read: () => A): A => {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
};

interface Shows {
  readonly tagged: (row: VideoRow) => VideoView;
  readonly shownAudio: (row: AudioRow) => AudioView;
  readonly audio: (audio_id: string) => AudioView | null;
}

const audioSize = `ifnull((SELECT octet_length(own.row) FROM ${audios.name} AS own WHERE own.key = ${videos.name}.audio_id), 0)`;

/** Lists videos and audios page by page: as many as requested, or fewer if they are large or few of many match. */
export const recordLists = (db: Database.Database, { tagged, shownAudio, audio }: Shows) => {
  const scanVideos = scanRecords(db, videos.name, 'audio_id', '(needs_review IS NOT NULL)');
  const scanAudios = scanRecords(db, audios.name, 'video_id', 'NULL');
  const readVideos = readByNumber(db, videos, taggedSize);
  const readExpanded = readByNumber(db, videos, `${taggedSize} + ${audioSize}`);
  const readAudios = readByNumber(db, audios, 'octet_length(row)');
  const tagLook = mayHaveTag(db);

  const lookAtVideos = (selection: VideoSelection, place: Place | null, limit: number): Look => {
    const { needs_review, tag } = selection;
    const most = isNarrow(selection) || needs_review !== null || tag !== null ? window : limit + 1;
    const scanned = scanVideos(selection, needs_review, place, most);
    const looked = tag === null ? scanned : tagLook(scanned, tag.key);
    return { scanned: looked, more: scanned.length === most || looked.length < scanned.length };
  };
  return {
    videos: (selection: VideoSelection, place: Place | null, limit: number): Listing<ListedVideo> =>
      inTransaction(db, () => {
        const { tag, with_audio } = selection;
        const look = lookAtVideos(selection, place, limit);
        const { items, next_cursor } = listing(look, limit, with_audio ? readExpanded : readVideos, tagged);
        const audioOf = ({ record }: VideoView): AudioView | null =>
          with_audio && record.audio_id !== null ? audio(record.audio_id) : null;
        return {
          items: items
            .filter(({ record }) => tag === null || hasTag(record.tags, tag))
            .map((view) => ({ ...view, audio: audioOf(view) })),
          next_cursor,
        };
      }),
    audios: (selection: RecordSelection, place: Place | null, limit: number): Listing<AudioView> =>
      inTransaction(db, () => {
        const most = isNarrow(selection) ? window : limit + 1;
        const scanned = scanAudios(selection, null, place, most);
        return listing({ scanned, more: scanned.length === most }, limit, readAudios, shownAudio);
      }),
  };
};
