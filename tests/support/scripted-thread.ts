/* A script of threads for tests: a function for each thing that a thread may do. */

/** What the thread has to do. */
export type Order = 'answer' | 'answerOtherwise' | 'fail' | 'die' | 'hang' | 'fill';

export const answer = (): ReadonlyArray<number> => [1, 2, 3];

export const answerOtherwise = (): ReadonlyArray<number> => [1, 2, Number.NaN];

export const fail = (): never => {
  throw new TypeError('thrown by a test');
};

export const die = (): never => process.exit(7);

export const hang = (): never => {
  for (;;);
};

/** Answers after so many milliseconds. */
export const answerLate = (ms: number): Promise<ReadonlyArray<number>> =>
  new Promise((resolve) => setTimeout(() => resolve([ms]), ms));

export const fill = (): never => {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${at} and more`));
};
