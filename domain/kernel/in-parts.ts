/** A computation that yields between its parts, so that others may run in between. */
export type InParts<Result> = Generator<undefined, Result>;

/** Runs all parts at once and returns the result. */
export const runToEnd = <Result>(parts: InParts<Result>): Result => {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
};
