/** Facts for the operator: stream, position, account, request id; never a key, a token, a transcript or a name. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  readonly info: (message: string, facts?: LogFacts) => void;
  readonly warn: (message: string, facts?: LogFacts) => void;
  readonly error: (message: string, facts?: LogFacts) => void;
}
