/** Fields of a log line, such as stream, position, account or request id. Never a key, token, transcript or name. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  readonly info: (message: string, facts?: LogFacts) => void;
  readonly warn: (message: string, facts?: LogFacts) => void;
  readonly error: (message: string, facts?: LogFacts) => void;
}
