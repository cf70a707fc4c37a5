const codeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A record as one line of JSON that no text within can leave: line ends are escaped, those that JSON leaves alone too,
 * and so are `<` and `>`, of which the delimiters around the data (and the control tokens of most models) are made.
 */
const dataLine = (record: object): string =>
  JSON.stringify(record).replaceAll(/[<>\u007F-\u009F\u2028\u2029]/g, codeOf);

/** Records between `<name>` and `</name>`, each on a line of its own. */
export const dataBlock = (name: string, records: ReadonlyArray<object>): string =>
  [`<${name}>`, ...records.map(dataLine), `</${name}>`].join('\n');
