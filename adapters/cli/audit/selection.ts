import { type Command, InvalidArgumentError } from 'commander';
import { type Timestamp, readTimestamp } from '../../../domain/kernel/timestamp.js';
import type { EventSelection } from '../../../projections/event-selection.js';

export interface SelectionOptions {
  readonly stream?: string;
  readonly category?: string;
  readonly type?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly from?: Timestamp;
  readonly to?: Timestamp;
}

/** A day or a time as a person writes it; a time without offset is in UTC. */
export const timestamp = (text: string): Timestamp => {
  const time = readTimestamp(text) ?? readTimestamp(`${text}Z`) ?? readTimestamp(`${text}:00Z`);
  if (time !== null) return time;
  throw new InvalidArgumentError('It must be a time as in 2026-01-31 or 2026-01-31T12:00:00Z.');
};

export const withSelection = (command: Command): Command =>
  command
    .option('--stream <name>', 'of one stream, as in video-7')
    .option('--category <name>', 'of the streams that begin so, as in video')
    .option('--type <name>', 'FacesMatched or FacesMatched.v1')
    .option('--actor <id>', 'by a key or an account')
    .option('--request-id <id>', 'caused by a request')
    .option('--from <time>', 'recorded at this time or later', timestamp)
    .option('--to <time>', 'recorded before this time', timestamp);

export const selectionOf = (options: SelectionOptions): EventSelection => ({
  stream: options.stream ?? null,
  category: options.category ?? null,
  type: options.type ?? null,
  actor: options.actor ?? null,
  request_id: options.requestId ?? null,
  from: options.from ?? null,
  to: options.to ?? null,
});
