import { randomUUID } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { type PreparedEvent, ownEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { resolveRow } from '../log/resolve-links.js';
import { toStored } from '../log/stored-payload.js';
import { firstVisible, metadataStreamOf, metadataType, streamState } from '../log/stream-state.js';
import { type Message, originalOf } from './message.js';
import { createPlaces } from './places.js';
import { type GroupName, parkedStreamOf } from './settings.js';

/** Messages set aside until somebody asks for them. */
export interface Parking {
  /** Resolves once it is durable. */
  readonly park: (message: Message, reason: string) => Promise<void>;
  /** The next parked messages, at most so many. They stay parked until they are done. */
  readonly replay: (most: number) => ReadonlyArray<Message>;
  readonly done: (revision: number) => void;
  /** Hides those that are done. */
  readonly truncate: () => Promise<void>;
  /** How many wait to be asked for. */
  readonly count: () => number;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/** A link to the event, with the reason. */
const parkedEvent = (message: Message, reason: string): PreparedEvent => {
  const row = originalOf(message);
  const about = JSON.stringify({ added: new Date().toISOString(), reason, retries: message.retries });
  return {
    id: randomUUID(),
    type: '$>',
    ...toStored({ isJson: false, data: bytes(`${row?.[2]}@${row?.[1]}`), metadata: bytes(about) }, new Date()),
  };
};

/** The event that was parked: of a message that was replayed and parked again, the event to which its link led. */
const parkedAgain = (message: Message): Message =>
  message.place.of === 'parked' && message.resolved.event !== null
    ? { ...message, resolved: { event: message.resolved.event, link: null } }
    : message;

/** The parked messages of a group, in a stream of their own. */
export const createParking = (log: ServedLog, name: GroupName): Parking => {
  const { rows, appender, write } = log;
  const stream = parkedStreamOf(name);
  const places = createPlaces(firstVisible(streamState(rows, stream)));
  let truncated = places.first();

  const append = async (to: string, event: PreparedEvent): Promise<void> => {
    const written = await write({
      run: () => appender.append(to, 'any', [event]),
      characters: 0,
      newestRow: (outcome) => (outcome._tag === 'Appended' ? outcome.row : 0),
    });
    if (E.isLeft(written) || written.right._tag !== 'Appended') throw new Error(`${to} could not be written`);
  };
  return {
    park: (message, reason) => append(stream, parkedEvent(parkedAgain(message), reason)),
    replay: (most) =>
      rows.streamForwards(stream, places.next(), most).map((row): Message => {
        places.begin(row[2]);
        const place = { of: 'parked', number: row[2] } as const;
        return { id: row[3], resolved: resolveRow(rows, row, true), retries: 0, place };
      }),
    done: places.done,
    truncate: async () => {
      const first = places.first();
      if (first === truncated) return;
      await append(metadataStreamOf(stream), ownEvent(metadataType, JSON.stringify({ $tb: first })));
      truncated = first;
    },
    count: () => Math.max(0, rows.lastRevision(stream) + 1 - places.next()),
  };
};
