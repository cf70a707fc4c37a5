/**
 * Asks once for all who are woken by the same change: those who ask within one turn of the event loop share the
 * answer. Only for questions that follow a change: a first question may have to see more than one that is under way.
 */
export const askTogether = <Answer>(): ((key: string, ask: () => Promise<Answer>) => Promise<Answer>) => {
  const asking = new Map<string, Promise<Answer>>();
  return (key, ask) => {
    const known = asking.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    asking.set(key, answer);
    setImmediate(() => asking.delete(key));
    return answer;
  };
};
