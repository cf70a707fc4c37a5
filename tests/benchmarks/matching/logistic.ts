export interface Example {
  readonly features: readonly number[];
  readonly right: boolean;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/** The solution of a symmetric positive definite system, by Gaussian elimination. */
const solved = (matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] => {
  const rows = matrix.map((row, n) => [...row, right[n] ?? 0]);
  rows.forEach((pivot, n) => {
    rows.slice(n + 1).forEach((row) => {
      const factor = (row[n] ?? 0) / (pivot[n] ?? 1);
      pivot.forEach((cell, column) => (row[column] = (row[column] ?? 0) - factor * cell));
    });
  });
  const x = rows.map(() => 0);
  for (let n = rows.length - 1; n >= 0; n -= 1) {
    const row = rows[n] ?? [];
    const known = x.reduce((sum, value, column) => (column > n ? sum + value * (row[column] ?? 0) : sum), 0);
    x[n] = ((row[rows.length] ?? 0) - known) / (row[n] ?? 1);
  }
  return x;
};

/** Newton's method from 0; `ridge` shrinks every coefficient but the first, the constant, towards 0. */
export const logisticFit = (examples: readonly Example[], ridge: number): readonly number[] => {
  const size = (examples[0]?.features.length ?? 0) + 1;
  let coefficients: readonly number[] = Array.from({ length: size }, () => 0);
  for (let step = 0; step < 25; step += 1) {
    const gradient = coefficients.map((c, n) => (n === 0 ? 0 : ridge * c));
    const curvature = coefficients.map((_, n) => coefficients.map((__, m) => (n === m ? (n === 0 ? 1e-9 : ridge) : 0)));
    for (const { features, right } of examples) {
      const x = [1, ...features];
      const p = 1 / (1 + Math.exp(-dot(coefficients, x)));
      x.forEach((value, n) => {
        gradient[n] = (gradient[n] ?? 0) + (p - (right ? 1 : 0)) * value;
        const row = curvature[n] ?? [];
        x.forEach((other, m) => (row[m] = (row[m] ?? 0) + p * (1 - p) * value * other));
      });
    }
    const change = solved(curvature, gradient);
    coefficients = coefficients.map((c, n) => c - (change[n] ?? 0));
  }
  return coefficients;
};

/** The candidates of one speaker: the features of each face, and whether it is the speaker's. */
export interface Choice {
  readonly options: readonly { readonly features: readonly number[]; readonly right: boolean }[];
}

const steps = 12;
/** Full steps from the start overshoot. */
const careful = { steps: 3, share: 0.7 };

interface Slope {
  readonly gradient: number[];
  readonly curvature: number[][];
}

const addTo = (row: number[], n: number, amount: number): void => {
  row[n] = (row[n] ?? 0) + amount;
};

/** Adds the contribution of one choice: the probabilities of its options, with nobody at odds of 1, compared with the truth. */
const addChoice = ({ options }: Choice, coefficients: readonly number[], { gradient, curvature }: Slope): void => {
  const xs = options.map(({ features }) => [1, ...features]);
  const scores = xs.map((x) => dot(coefficients, x));
  const highest = Math.max(0, ...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const total = weights.reduce((sum, weight) => sum + weight, Math.exp(-highest));
  const chances = weights.map((weight) => weight / total);
  const rightTotal = options.reduce((sum, { right }, n) => sum + (right ? (weights[n] ?? 0) : 0), 0);
  const mean = coefficients.map((_, k) => xs.reduce((sum, x, n) => sum + (chances[n] ?? 0) * (x[k] ?? 0), 0));
  xs.forEach((x, n) => {
    const wanted = rightTotal > 0 && options[n]?.right === true ? (weights[n] ?? 0) / rightTotal : 0;
    const chance = chances[n] ?? 0;
    x.forEach((value, a) => {
      addTo(gradient, a, (wanted - chance) * value);
      x.forEach((other, b) => addTo(curvature[a] ?? [], b, chance * value * other));
    });
  });
  mean.forEach((value, a) => mean.forEach((other, b) => addTo(curvature[a] ?? [], b, -value * other)));
};

/**
 * The conditional logit (McFadden 1974) with nobody as an option, by Newton's method from `start`; `ridge` draws every
 * coefficient but the first, the constant, towards 0.
 */
export const choiceFit = (choices: readonly Choice[], ridge: number, start: readonly number[]): readonly number[] => {
  let coefficients = start;
  for (let step = 0; step < steps; step += 1) {
    const slope: Slope = {
      gradient: coefficients.map((c, n) => (n === 0 ? 0 : -ridge * c)),
      curvature: coefficients.map((_, n) => coefficients.map((__, m) => (n !== m ? 0 : n === 0 ? 1e-6 : ridge))),
    };
    for (const choice of choices) addChoice(choice, coefficients, slope);
    const change = solved(slope.curvature, slope.gradient);
    const share = step < careful.steps ? careful.share : 1;
    coefficients = coefficients.map((c, n) => c + share * (change[n] ?? 0));
  }
  return coefficients;
};
