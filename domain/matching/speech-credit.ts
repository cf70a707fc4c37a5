import { add, at, columnSums, type Matrix, tabulate, zeros } from './matrix.js';
import type { Shares } from './shares.js';
import { lengthOf } from './stretches.js';
import type { Timeline } from './timeline.js';

const passes = 3;
/** The claim of "no visible face" on a turn; a face visible during the whole turn claims 1. */
const nobody = 0.5;

/** The credit of every pair if its claim on each turn is weighted by the belief in the pair. */
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

/**
 * The new belief in each pair: high if the face has much of the speaker's speech and the speaker much of the face's
 * credit.
 */
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
 * Seconds of each speaker's speech attributed to each face, by distributing every turn among the visible faces and
 * nobody. Each pass believes more in pairs credited by the previous one, so that a face that listens to many loses to
 * one that is visible during its own speech: expectation maximisation as in word alignment (Brown et al. 1993, model
 * 1), stopped early. `possible` is 1 or 0 per pair.
 */
export const speechCredit = ({ turns, speaking }: Timeline, facesIn: Shares, possible: Matrix): Matrix => {
  let credit = credited(facesIn, turns, possible);
  for (let pass = 1; pass < passes; pass += 1) credit = credited(facesIn, turns, believed(credit, speaking, possible));
  return credit;
};

const against = (cell: number, sum: number): number => Math.log((cell + 0.5) / (Math.max(0, sum - cell) + 0.5));

/** Log odds of each cell against the rest of its column, with half a second added to both. */
export const shareLogOdds = (credit: Matrix): Matrix => {
  const columns = columnSums(credit);
  return tabulate(credit.rows, credit.columns, (i, j) => against(at(credit, i, j), columns[j] ?? 0));
};
