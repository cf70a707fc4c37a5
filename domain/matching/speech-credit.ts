import { add, at, columnSums, type Matrix, tabulate, zeros } from './matrix.js';
import type { Shares } from './shares.js';
import { lengthOf } from './stretches.js';
import type { Timeline } from './timeline.js';

const passes = 3;
/** The claim of "nobody in the picture" on a turn, against 1 for a face seen all through the turn. */
const nobody = 0.5;

/** The credit of every pair when each share of a turn is claimed as far as the pair is believed in. */
const credited = ({ parts, owners, seconds }: Shares, turns: Timeline['turns'], belief: Matrix): Matrix => {
  const credit = zeros(belief.rows, belief.columns);
  const claims = new Float64Array(seconds.length);
  const claimsOn = new Float64Array(turns.starts.length).fill(nobody);
  for (let n = 0; n < seconds.length; n += 1) {
    const turn = parts[n] ?? 0;
    const claim = ((seconds[n] ?? 0) / lengthOf(turns, turn)) * at(belief, turns.owners[turn] ?? 0, owners[n] ?? 0);
    claims[n] = claim;
    claimsOn[turn] = (claimsOn[turn] ?? 0) + claim;
  }
  for (let n = 0; n < seconds.length; n += 1) {
    const turn = parts[n] ?? 0;
    const granted = ((seconds[n] ?? 0) * (claims[n] ?? 0)) / (claimsOn[turn] ?? 0);
    add(credit, turns.owners[turn] ?? 0, owners[n] ?? 0, granted);
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
export const speechCredit = ({ turns, speaking }: Timeline, facesIn: Shares, possible: Matrix): Matrix => {
  let credit = credited(facesIn, turns, possible);
  for (let pass = 1; pass < passes; pass += 1) credit = credited(facesIn, turns, believed(credit, speaking, possible));
  return credit;
};

const against = (cell: number, sum: number): number => Math.log((cell + 0.5) / (Math.max(0, sum - cell) + 0.5));

/** The logarithm of the odds of one cell against the rest of its column, half a second added to each. */
export const shareLogOdds = (credit: Matrix): Matrix => {
  const columns = columnSums(credit);
  return tabulate(credit.rows, credit.columns, (i, j) => against(at(credit, i, j), columns[j] ?? 0));
};
