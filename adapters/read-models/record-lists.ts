import Database from 'libsql';
import type { TagView, VideoTagsRow } from '../../projections/tag-views.js';
import { tables } from '../../projections/tables.js';
import { shownTags, hasTag } from '../../projections/video-tags.js';
import { videoView } from '../../projections/shown-records.js';
import type { VideoRow, VideoView, AudioRow, AudioView } from '../../projections/views.js';
import { countFitting } from '../../domain/kernel/size.js';
import type { Listing, ListedVideo, RecordSelection, VideoSelection } from '../../projections/queries.js';
import type { Table } from '../../projections/table.js';
import type { Session } from './session.js';
import { columnsOf, rowColumns } from './row-json.js';
import { mostBytes, readNumbered } from './found-rows.js';
import { type Place, toPlaceCursor } from './cursors.js';
import { type Scanned, scanRecords } from './scan-records.js';

/** The tags of a row as they are shown, made once for as long as the row is remembered. */
const rememberShown = (): ((row: VideoTagsRow | null) => ReadonlyArray<TagView>) => {
  const known = new WeakMap<VideoTagsRow, ReadonlyArray<TagView>>();
  return (row) => {
    if (row === null) return [];
    const tags = known.get(row) ?? shownTags(row);
    known.set(row, tags);
    return tags;
  };
};

/** The bytes of a video's row with those of its tags, as SQL. */
const taggedSize = `octet_length(row) + ifnull(
  (SELECT octet_length(tags.row) FROM ${tables.videoTags.name} AS tags WHERE tags.key = ${tables.videos.name}.key), 0)`;

/** Joins videos with their tags. */
export const tagVideos = ({ rows }: Pick<Session, 'rows'>): ((row: VideoRow) => VideoView) => {
  const shown = rememberShown();
  /** A commit may come between the two rows: the tags may then be newer than the revision tells, and never older. */
  return (row) =>
    videoView(row, (video_id, least) => shown(rows.videoTags.committed(video_id, ({ revision }) => revision >= least)));
};

const { videos, audios, videoTags } = tables;

/** So many rows are looked at in one go where a selection leaves rows out. */
const window = 2_000;
/** So many bytes of tags are looked through in one go. */
const mostTagBytes = 4_000_000;

const isNarrow = ({ status, linked_id, title, sort, created }: RecordSelection): boolean =>
  status !== null ||
  linked_id !== null ||
  title !== null ||
  (sort !== 'created_at' && (created.from !== null || created.to !== null));

/** Reads rows by their numbers, in the order of these: as many as are small enough together, and one at least. */
const readByNumber = <Row>(db: Database.Database, table: Table<Row>, size: string) => {
  const these = `FROM json_each(?1) AS wanted CROSS JOIN ${table.name} ON ${table.name}.number = wanted.value`;
  const sizes = db.prepare(`SELECT ${size} ${these}`).raw(true);
  const select = db.prepare(`SELECT number, ${rowColumns} ${these}`).raw(true);
  return (numbers: ReadonlyArray<number>): ReadonlyArray<Row> => {
    const found = sizes.all(JSON.stringify(numbers)).map((result) => Number(columnsOf(result)[0]));
    const fitting = numbers.slice(0, countFitting(found, mostBytes));
    return select.all(JSON.stringify(fitting)).map((result) => readNumbered(table, result).row);
  };
};

/** The first rows whose tags may have a key, as far as their text tells; looks through so many bytes at most. */
const mayHaveTag = (db: Database.Database) => {
  const lengthOf = db.prepare(`SELECT octet_length(row) FROM ${videoTags.name} WHERE key = ?`).raw(true);
  const find = db.prepare(`SELECT instr(row, ?2) FROM ${videoTags.name} WHERE key = ?1`).raw(true);
  return (scanned: ReadonlyArray<Scanned>, tag: string): ReadonlyArray<Scanned> => {
    const looked: Scanned[] = [];
    let bytes = 0;
    for (const row of scanned) {
      const length = row.fits ? Number(columnsOf(lengthOf.get(row.key))[0] ?? 0) : 0;
      bytes += length;
      if (bytes > mostTagBytes && looked.length > 0) break;
      const fits = length > 0 && Number(columnsOf(find.get(row.key, `[${JSON.stringify(tag)},`))[0]) > 0;
      looked.push({ ...row, fits });
    }
    return looked;
  };
};

/** What was looked at, and whether there may be more. */
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

/** Lists videos, and audios alike, in portions: as many as asked for, or fewer where they are large or few of many fit. */
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
