import type { EventFilter, StoredEvent } from '../../../application/ports/event-store.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { type ServerFilter, noSystemEvents } from './requests.js';

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\${sign}`);

const oneOf = (values: ReadonlyArray<string>): string => `(?:${[...new Set(values)].map(escaped).join('|')})`;

/**
 * The part of the filter that the server can apply, which may match more than the filter; null when nothing can match.
 */
export const serverFilter = ({ types, categories }: EventFilter): ServerFilter | null => {
  if (types?.length === 0 || categories?.length === 0) return null;
  if (types !== undefined) return { on: 'type', regex: `^${oneOf(types)}$` };
  return categories === undefined ? noSystemEvents : { on: 'stream', regex: `^${oneOf(categories)}(?:-|$)` };
};

/** Whether an event passes the filter; system events of the server never do. */
export const passes = ({
  types,
  categories,
}: EventFilter): ((event: Pick<StoredEvent, 'type' | 'stream'>) => boolean) => {
  const ofType = types === undefined ? null : new Set(types);
  const ofCategory = categories === undefined ? null : new Set(categories);
  return ({ type, stream }) =>
    !type.startsWith('$') &&
    (ofType === null || ofType.has(type)) &&
    (ofCategory === null || ofCategory.has(streamCategory(stream)));
};
