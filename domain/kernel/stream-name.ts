/** The category of a stream: its name up to the first hyphen. */
export const streamCategory = (stream: string): string => {
  const hyphen = stream.indexOf('-');
  return hyphen === -1 ? stream : stream.slice(0, hyphen);
};

/** The id in a stream's name: what follows the first hyphen. */
export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
