import { add, at, columnSums, type Matrix, rowSums, tabulate, zeros } from './matrix.js';
import type { Share } from './shares.js';

/** A stretch of its owner's, a speaker's, speech and the (weighted) seconds of it in which each face is seen. */
export interface SeenTurn {
  readonly owner: number;
  readonly seconds: number;
  readonly faces: readonly Share[];
}

const passes = 3;
/** The claim of "nobody in the picture" on a turn, against 1 for a face seen all through the turn. */
const nobody = 0.5;

const credited = (turns: readonly SeenTurn[], belief: Matrix): Matrix => {
  const credit = zeros(belief.rows, belief.columns);
  for (const turn of turns) {
    let claims = nobody;
    for (const { owner: face, seconds } of turn.faces)
      claims += (seconds / turn.seconds) * at(belief, turn.owner, face);
    for (const { owner: face, seconds } of turn.faces) {
      const claim = (seconds / turn.seconds) * at(belief, turn.owner, face);
      add(credit, turn.owner, face, (seconds * claim) / claims);
    }
  }
  return credit;
};

/** The more a face holds of a speaker's speech, and that speaker of the face's credit, the more they belong together. */
const believed = (credit: Matrix, speaking: readonly number[], possible: Matrix): Matrix => {
  const ofFace = columnSums(credit);
  const raw = tabulate(credit.rows, credit.columns, (i, j) => {
    const share = at(credit, i, j) / ((speaking[i] ?? 0) + 1);
    return at(possible, i, j) * share * ((at(credit, i, j) + 0.1) / ((ofFace[j] ?? 0) + 0.1));
  });
  const best = Array.from({ length: raw.rows }, (_, i) =>
    raw.cells.subarray(i * raw.columns, (i + 1) * raw.columns).reduce((a, b) => Math.max(a, b), 0),
  );
  return tabulate(raw.rows, raw.columns, (i, j) => at(raw, i, j) / ((best[i] ?? 0) + 0.001));
};

/**
 * How many seconds of each speaker's speech each face accounts for, when every turn is shared out among the faces
 * seen in it and nobody. The first pass knows no one; each next pass believes more in the pairs that the one before
 * credited, so that a face that listens to many loses to the one that is seen with its own speech: expectation
 * maximisation as in word alignment (Brown et al. 1993, model 1), stopped early. `possible` is 1 or 0 per pair.
 */
export const speechCredit = (turns: readonly SeenTurn[], speaking: readonly number[], possible: Matrix): Matrix => {
  let credit = credited(turns, possible);
  for (let pass = 1; pass < passes; pass += 1) credit = credited(turns, believed(credit, speaking, possible));
  return credit;
};

const against = (cell: number, sum: number): number => Math.log((cell + 0.5) / (Math.max(0, sum - cell) + 0.5));

/** The logarithm of the odds of one cell against the rest of its row and of its column, half a second added to each. */
export const shareLogOdds = (credit: Matrix): { readonly ofSpeech: Matrix; readonly ofFace: Matrix } => {
  const [rows, columns] = [rowSums(credit), columnSums(credit)];
  return {
    ofSpeech: tabulate(credit.rows, credit.columns, (i, j) => against(at(credit, i, j), rows[i] ?? 0)),
    ofFace: tabulate(credit.rows, credit.columns, (i, j) => against(at(credit, i, j), columns[j] ?? 0)),
  };
};
