/** What is found in parts: between two of them others may have their turn. */
export type InParts<Result> = Generator<undefined, Result>;

/** The same at once. */
export const whole = <Result>(parts: InParts<Result>): Result => {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
};
