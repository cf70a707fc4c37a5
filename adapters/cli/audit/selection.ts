import { type Command, InvalidArgumentError } from 'commander';
import { categories, eventTypes } from '../../../domain/event-catalogue.js';
import { type Timestamp, readTimestamp } from '../../../domain/kernel/timestamp.js';
import { type EventSelection, typeName } from '../../../projections/event-selection.js';
import { didYouMean } from '../did-you-mean.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';

export interface SelectionOptions {
  readonly stream?: string;
  readonly category?: string;
  readonly type?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly from?: Timestamp;
  readonly to?: Timestamp;
}

/** A day or a time as people write it; a time without an offset is in UTC. Null if it is neither. */
export const readTime = (text: string): Timestamp | null =>
  readTimestamp(text) ?? readTimestamp(`${text}Z`) ?? readTimestamp(`${text}:00Z`);

export const timestamp = (text: string): Timestamp => {
  const time = readTime(text);
  if (time !== null) return time;
  throw new InvalidArgumentError('It must be a time as in 2026-01-31 or 2026-01-31T12:00:00Z.');
};

export const withSelection = (command: Command): Command =>
  command
    .option('--stream <name>', 'of one stream, as in video-7')
    .option('--category <name>', 'of the streams of this category, such as video')
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

/** Throws if a selection without results names an event type or category that does not exist. */
export const refuseUnknown = ({ stream, category, type, actor, requestId, from, to }: SelectionOptions): void => {
  if (type !== undefined && !eventTypes.includes(typeName(type)))
    throw new Error(`there is no event type ${type}${didYouMean(typeName(type), eventTypes)}`);
  const wanted = category ?? (stream === undefined ? undefined : streamCategory(stream));
  if (category === undefined && stream?.includes('-') === false)
    throw new Error(`a stream is named category-id, as in video-7; the categories are ${categories.join(', ')}`);
  if (wanted !== undefined && !categories.includes(wanted))
    throw new Error(`there is no stream category ${wanted}${didYouMean(wanted, categories)}`);
  if (stream === undefined) return;
  const isFiltered = [category, type, actor, requestId, from, to].some((given) => given !== undefined);
  throw new Error(isFiltered ? `there is no such event in a stream ${stream}` : `there is no stream ${stream}`);
};
