/** Creates ids and secrets. */
export interface Ids {
  /** A new UUID. */
  readonly random: () => string;
  /** A UUID derived from a cause and a name: the same input gives the same id. */
  readonly derived: (cause: string, name: string) => string;
  /** A cryptographic digest of a text. */
  readonly digest: (text: string) => string;
  /** 256 random bits as text: an API key. */
  readonly secret: () => string;
  /** 256 random bits as text: a temporary token. */
  readonly token: () => string;
}
