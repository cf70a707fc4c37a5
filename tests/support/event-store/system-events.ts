import * as E from 'fp-ts/lib/Either.js';
import { createRows } from '../../../adapters/eventstoredb-endpoint/rows.js';
import type { EventLog } from '../../../adapters/event-store/sqlite/open.js';
import { createAppender, ownEvent } from '../eventstoredb/append.js';
import type { Behaviour } from './versions.js';

const stream = '$stats-127.0.0.1:2113';

/** Events of the server itself, as its projections, statistics and scavenges write them. */
export interface SystemEvents {
  /** The log, with one system event after every `every` writes of others. */
  readonly between: (every: number) => EventLog;
  readonly write: (count: number) => Promise<void>;
  /** Writes this many a minute until stopped. */
  readonly keepWriting: (perMinute: number) => { readonly stop: () => void };
}

const tick = 100;

export const systemEvents = (log: EventLog, behaviour: Behaviour): SystemEvents => {
  const { insert } = createAppender(log.db, createRows(log.db), behaviour);
  const one = (): number => insert(stream, ownEvent('$statsCollected', '{"proc":{}}'));
  const write = async (count: number): Promise<void> => {
    const written = await log.writer.write(() => Array.from({ length: count }, one));
    if (E.isLeft(written)) throw new Error(written.left.reason);
  };
  return {
    write,
    between: (every) => {
      let writes = 0;
      return {
        ...log,
        writer: {
          ...log.writer,
          write: (work) =>
            log.writer.write(() => {
              const answer = work();
              writes += 1;
              if (writes % every === 0) one();
              return answer;
            }),
        },
      };
    },
    keepWriting: (perMinute) => {
      let owed = 0;
      const timer = setInterval(() => {
        owed += (perMinute * tick) / 60_000;
        const count = Math.floor(owed);
        owed -= count;
        if (count > 0) void write(count).catch(() => undefined);
      }, tick);
      return { stop: () => clearInterval(timer) };
    },
  };
};
