/** Where ids come from. */
export interface Ids {
  /** A new UUID. */
  readonly random: () => string;
  /** The UUID that always follows from a cause and a name: a repetition gets the same. */
  readonly derived: (cause: string, name: string) => string;
  /** A digest of a text: equal texts, equal digests. */
  readonly digest: (text: string) => string;
  /** 256 random bits as text: an API key. */
  readonly secret: () => string;
  /** 256 random bits as text: a token that opens one thing for a while. */
  readonly token: () => string;
}
