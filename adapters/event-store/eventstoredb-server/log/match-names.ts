/** Names to be tried against a client's regular expression. */
export interface NamesToMatch {
  readonly regex: string;
  readonly names: ReadonlyArray<string>;
}

/** What a worker thread runs: one flag for each name. */
export default function matchNames({ regex, names }: NamesToMatch): ReadonlyArray<boolean> {
  const pattern = new RegExp(regex, 'u');
  return names.map((name) => pattern.test(name));
}
