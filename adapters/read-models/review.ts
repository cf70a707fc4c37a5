import type Database from 'libsql';
import type { Listing } from '../../projections/queries.js';
import { type ReviewQuestion, type ReviewScope, questionPlace } from '../../projections/review.js';
import { tables } from '../../projections/tables.js';
import { listRows } from './found-rows.js';
import { type Place, toPlaceCursor } from './record-page.js';

const { reviewQuestions } = tables;

/** Lists open questions, the best first. */
export const listQuestions = (db: Database.Database) => {
  const list = (column: ReviewScope['by']) =>
    listRows(db, reviewQuestions, { where: `${column} = ?3 AND place > ?4`, order: 'place' });
  const lists = { owner_id: list('owner_id'), video_id: list('video_id') };
  return ({ by, id }: ReviewScope, after: Place | null, limit: number): Listing<ReviewQuestion> => {
    const { rows, more } = lists[by](0, limit, id, after?.key ?? '');
    const last = rows.at(-1);
    const key = last === undefined ? null : questionPlace(last.row);
    return {
      items: rows.map(({ row }) => row),
      next_cursor: more && key !== null ? toPlaceCursor({ value: null, key }) : null,
    };
  };
};
