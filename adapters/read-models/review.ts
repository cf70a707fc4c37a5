import type Database from 'libsql';
import type { Listing } from '../../projections/queries.js';
import { type ReviewQuestion, type ReviewScope, questionPlace } from '../../projections/review.js';
import { tables } from '../../projections/tables.js';
import { listRows } from './found-rows.js';
import { type Place, toPlaceCursor } from './cursors.js';

/** The tables of questions that follow from a video, and of those that follow from a name inference. */
const places = [tables.reviewQuestions, tables.nameQuestions] as const;

/** Lists open questions of both kinds or of one, the best first. */
export const listQuestions = (db: Database.Database) => {
  const lists = places.map((table) => {
    const list = (column: ReviewScope['by']) =>
      listRows(db, table, { where: `${column} = ?3 AND place > ?4 AND (?5 = '' OR kind = ?5)`, order: 'place' });
    return { owner_id: list('owner_id'), video_id: list('video_id') };
  });
  return ({ by, id, kind }: ReviewScope, after: Place | null, limit: number): Listing<ReviewQuestion> => {
    const found = lists.map((list) => list[by](0, limit, id, after?.key ?? '', kind ?? ''));
    const all = found
      .flatMap(({ rows }) => rows.map(({ row }) => ({ row, place: questionPlace(row) ?? '' })))
      .toSorted((one, other) => (one.place < other.place ? -1 : 1));
    // Past the last row of a list that continues, its further rows are unknown, so rows of the other list cannot be
    // placed yet.
    const certain = found.flatMap(({ rows, more }) => (more ? (questionPlace(rows.at(-1)?.row ?? null) ?? []) : []));
    const until = certain.toSorted()[0];
    const items = all.filter(({ place }) => until === undefined || place <= until).slice(0, limit);
    const last = items.at(-1);
    const more = items.length < all.length || certain.length > 0;
    return {
      items: items.map(({ row }) => row),
      next_cursor: more && last !== undefined ? toPlaceCursor({ value: null, key: last.place }) : null,
    };
  };
};
