import * as E from 'fp-ts/lib/Either.js';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import { type Position, JsonObject, isServerRecord } from '../../domain/kernel/recorded-event.js';
import { readLog } from '../audit/read-log.js';
import { orThrow } from '../failures.js';
import type { Checkpoints, EventStore, NewEvent, StoredEvent } from '../ports/event-store.js';
import { sweepNames } from '../processes/sweep.js';

export interface CopyProgress {
  readonly copied: number;
  /** Events that the target had already, from an earlier attempt. */
  readonly found: number;
}

export interface Copying {
  readonly from: EventStore;
  readonly to: EventStore;
  readonly onProgress: (progress: CopyProgress) => void;
  /** The checkpoints of both logs; those of the source are carried over. */
  readonly checkpoints: { readonly from: Checkpoints; readonly to: Checkpoints };
  /** Transforms an event for the target, which has all earlier events by then. Default: none. */
  readonly prepare?: (event: StoredEvent) => NewEvent | Promise<NewEvent>;
  /** The part of an event that must be equal in both logs. Default: everything. */
  readonly comparable?: (event: StoredEvent) => StoredEvent;
}

const notACopy = (reason: string): Error => new Error(`the target is not a copy of the source: ${reason}`);

/** The events of a log, without the server's own records. */
async function* eventsOf(log: EventStore): AsyncGenerator<StoredEvent, void> {
  for await (const page of readLog(log)) yield* orThrow(page).filter((event) => !isServerRecord(event));
}

/** The content of an event; its position may be another in each log. */
const contentOf = ({ stream, revision, id, type, data, metadata }: StoredEvent): string =>
  JSON.stringify([stream, revision, id, type, data, metadata]);

/** An event as it can be appended. */
export const asItIs = ({ id, type, data, metadata, stream }: StoredEvent): NewEvent => {
  if (JsonObject.is(data) && JsonObject.is(metadata)) return { id, type, data, metadata };
  throw new Error(`an event of ${stream} is no JSON object`);
};

/** Appends an event at its revision in the source. */
const append = async ({ to, prepare = asItIs }: Copying, event: StoredEvent): Promise<void> => {
  const { stream, revision } = event;
  const appended = await to.append(stream, revision === 0 ? 'no_stream' : revision - 1, [await prepare(event)])();
  if (E.isLeft(appended) && appended.left._tag === 'RevisionConflict')
    throw notACopy(`its stream ${stream} is at ${appended.left.actual} where ${appended.left.expected} was expected`);
  orThrow(appended);
};

/** Reads both logs side by side: the target must equal the beginning of the source, of which the rest is appended to it. */
const compareAndAppend = async (
  copying: Copying,
  onEqual: (source: Position, target: Position) => void = constVoid,
): Promise<CopyProgress> => {
  const { from, to, onProgress, comparable = identity } = copying;
  const target = eventsOf(to);
  let [copied, found] = [0, 0];
  for await (const event of eventsOf(from)) {
    const { value: same } = await target.next();
    if (same) {
      if (contentOf(comparable(event)) !== contentOf(comparable(same)))
        throw notACopy(`it has another event than revision ${event.revision} of ${event.stream}`);
      onEqual(event.position, same.position);
      found += 1;
    } else {
      await append(copying, event);
      copied += 1;
    }
    onProgress({ copied, found });
  }
  const { value: more } = await target.next();
  if (more) throw notACopy(`the source has no revision ${more.revision} of ${more.stream}`);
  return { copied, found };
};

/** Translates the checkpoints of processes to a copy of a log, so that they do not start at its first event again. */
const checkpointCarrier = async ({ from, to }: Copying['checkpoints']) => {
  const done = new Map<string, Position>();
  const reached = new Map<string, Position>();
  for (const name of Object.values(sweepNames)) {
    const position = orThrow(await from.load(name)());
    if (position !== null) done.set(name, position);
  }
  return {
    pass: (source: Position, target: Position): void =>
      done.forEach((position, name) => source <= position && reached.set(name, target)),
    save: async (): Promise<void> => {
      for (const [name, position] of reached) orThrow(await to.save(name, position)());
    },
  };
};

/**
 * Copies a log with ids, types, data, metadata and order into a store that is empty or has the beginning of it, as after an
 * earlier attempt, and then reads and compares both. Returns the number of events too. Throws an error with the reason.
 */
export const copyLog = async (copying: Copying): Promise<CopyProgress & { readonly events: number }> => {
  const done = await compareAndAppend(copying);
  const checkpoints = await checkpointCarrier(copying.checkpoints);
  const compared = await compareAndAppend({ ...copying, onProgress: constVoid }, checkpoints.pass);
  if (compared.copied > 0) throw new Error('the source was written to meanwhile: copy the rest again');
  await checkpoints.save();
  return { ...done, events: compared.found };
};
