import { audioRowAt, videoViewAt } from '../record-at.js';
import type { Acknowledged } from './clients.js';
import type { Recorded, WholeLog } from './log.js';

/** Whether a value has the fields of another, and each item of its lists. */
const contains = (whole: unknown, part: unknown): boolean => {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item: unknown) => whole.some((one: unknown) => contains(one, item)));
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  const fields = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => contains(fields.get(name), value));
};

const recordAt = (events: ReadonlyArray<Recorded>): unknown =>
  events[0]?.stream.startsWith('video-') === true ? videoViewAt(events)?.record : audioRowAt(events)?.record;

/** Whether the first event of a request in the promised stream, or the record right after it, has what was promised. */
const isKept = ({ streams }: WholeLog, { request_id, promised }: Acknowledged): boolean => {
  if (promised === null) return true;
  const own = streams[promised.stream] ?? [];
  // A match first takes over the speakers that a new analysis has renumbered.
  const first = own.find(
    ({ metadata, event }) => metadata.correlation_id === request_id && event.type !== 'SpeakersRenumbered',
  );
  if (first === undefined) return false;
  return [first.event.data, recordAt(own.slice(0, first.revision + 1))].some((one) => contains(one, promised.shown));
};

/** Acknowledged requests that are missing in the log, differ from their answer, or are in another order than the answers. */
export const lostRequests = (log: WholeLog, acknowledged: ReadonlyArray<Acknowledged>): ReadonlyArray<string> => {
  const firsts = new Map(log.events.toReversed().map(({ position, metadata }) => [metadata.correlation_id, position]));
  const last = new Map<number, string>();
  return acknowledged.flatMap((one) => {
    const { client, request_id, position, promised } = one;
    const inOrder = (last.get(client) ?? '') < position;
    last.set(client, position);
    const first = firsts.get(request_id);
    if (first === undefined || first > position) return [`${request_id} at ${position} is lost`];
    if (!inOrder) return [`${request_id} at ${position} is out of order`];
    return isKept(log, one) ? [] : [`${request_id} is not kept: ${JSON.stringify(promised)}`];
  });
};
