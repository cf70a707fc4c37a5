export interface Example {
  readonly features: readonly number[];
  readonly right: boolean;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/** The solution of a symmetric positive definite system, by Gaussian elimination. */
export const solved = (matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] => {
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
