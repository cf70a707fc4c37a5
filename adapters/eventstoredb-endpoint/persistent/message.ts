import type { ResolvedRow } from '../wire/read-messages.js';

/** An event on its way to one of a group's consumers. */
export interface Message {
  /** By what the consumer answers: the event's id, or its link's. */
  readonly id: string;
  readonly resolved: ResolvedRow;
  readonly retries: number;
  /** Where it stands in what the group reads. */
  readonly place: number;
}

/** The row that stands in the stream that was read. */
export const originalOf = ({ resolved: { event, link } }: Message) => link ?? event;
