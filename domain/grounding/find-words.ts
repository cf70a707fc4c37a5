/** For each start of the pattern, how much of it is also its end (Knuth, Morris, Pratt). */
const borders = (pattern: readonly string[]): readonly number[] => {
  const lengths = [0];
  for (let at = 1, length = 0; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = lengths[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    lengths.push(length);
  }
  return lengths;
};

/** A search for these words, one after the other: where they first stand in other words, or null. */
export const wordFinder = (pattern: readonly string[]): ((words: readonly string[]) => number | null) => {
  const fallBack = borders(pattern);
  return (words) => {
    if (pattern.length === 0 || pattern.length > words.length) return null;
    for (let at = 0, matched = 0; at < words.length; at += 1) {
      while (matched > 0 && words[at] !== pattern[matched]) matched = fallBack[matched - 1] ?? 0;
      if (words[at] === pattern[matched]) matched += 1;
      if (matched === pattern.length) return at - matched + 1;
    }
    return null;
  };
};
