interface StreamEnd {
  readonly revision: number;
  /** The metadata's text, whose last field is the event's hash. */
  readonly metadata: string;
}

/**
 * What a transaction that is under way has written last to each stream. Nobody else writes meanwhile, and it is forgotten
 * with the transaction: an append that follows another of the same transaction need not look that one up in the database.
 */
export type StreamEnds = Map<string, StreamEnd>;

/** Whether the event at this revision was written in this transaction, with this hash. */
export const hasWritten = (ends: StreamEnds, stream: string, revision: number, hash: string): boolean => {
  const end = ends.get(stream);
  return end !== undefined && end.revision === revision && end.metadata.endsWith(hash, end.metadata.length - 2);
};
