import * as E from 'fp-ts/lib/Either.js';
import { type Position, JsonObject, isServerRecord } from '../../domain/kernel/recorded-event.js';
import { reasonOf } from '../failures.js';
import type {
  Checkpoints,
  EventStore,
  ExpectedRevision,
  NewEvent,
  StoreUnavailable,
  StoredEvent,
} from '../ports/event-store.js';
import { sealStream } from '../audit/verify-log.js';
import { sweepNames } from '../processes/sweep.js';
import { identity } from 'fp-ts/lib/function.js';

/** A summary of a log, for comparing two logs. */
interface LogSummary {
  readonly events: number;
  /** The last revision of each stream. */
  readonly streams: ReadonlyMap<string, number>;
  /** A digest of the content of all events, in order. */
  readonly digest: string;
}

/** Whether an event belongs to the log, rather than to the server's own records. */
const isOwn = (event: StoredEvent): boolean => !isServerRecord(event);

const pageSize = 500;

/**
 * Passes the pages of a log to a handler, up to its end or to the position `end`. Returns the position reached. Stops when the
 * handler fails.
 */
const readPages = async <Failure>(
  store: EventStore,
  start: Position | null,
  end: Position | null,
  handle: (events: ReadonlyArray<StoredEvent>) => Promise<E.Either<Failure, void>>,
): Promise<E.Either<StoreUnavailable | Failure, Position | null>> => {
  for (let after = start; ;) {
    const page = await store.readAll(after, {}, pageSize)();
    if (E.isLeft(page)) return page;
    const { events, examined } = page.right;
    if (examined === null) return E.right(after);
    const handled = await handle(events.filter(({ position }) => end === null || position <= end));
    if (E.isLeft(handled)) return handled;
    if (end !== null && examined >= end) return E.right(end);
    after = examined;
  }
};

/** Summarises a log, up to its end or to the position `end`. */
const summaryOf = async (
  store: EventStore,
  digest: (text: string) => string,
  end: Position | null,
  shown: (event: StoredEvent) => StoredEvent = identity,
): Promise<E.Either<StoreUnavailable, LogSummary>> => {
  const streams = new Map<string, number>();
  let events = 0;
  let content = '';
  const read = await readPages<never>(store, null, end, async (page) => {
    const own = page.filter(isOwn);
    own.forEach(({ stream, revision }) => streams.set(stream, revision));
    events += own.length;
    for (const { stream, revision, id, type, data, metadata } of own.map(shown))
      content = digest(`${content}\n${JSON.stringify([stream, revision, id, type, data, metadata])}`);
    return E.right(undefined);
  });
  return E.isLeft(read) ? read : E.right({ events, streams, digest: content });
};

interface Carried {
  /** Called in order with the positions of copied events in source and target. */
  readonly passed: (source: Position | null, target: Position | null) => void;
  readonly save: () => Promise<E.Either<StoreUnavailable, void>>;
}

/**
 * Translates the checkpoints of processes to a copy of a log, so that they do not start at its first event again.
 */
export const carriedCheckpoints = async ({
  from,
  to,
}: {
  readonly from: Checkpoints;
  readonly to: Checkpoints;
}): Promise<E.Either<StoreUnavailable, Carried>> => {
  const marks: Array<{ readonly name: string; readonly done: Position; reached: Position | null }> = [];
  for (const name of Object.values(sweepNames)) {
    const done = await from.load(name)();
    if (E.isLeft(done)) return done;
    if (done.right !== null) marks.push({ name, done: done.right, reached: null });
  }
  return E.right({
    passed: (source, target) =>
      marks.forEach((mark) => {
        if (source !== null && source <= mark.done) mark.reached = target ?? mark.reached;
      }),
    save: async () => {
      for (const { name, reached } of marks) {
        const saved = reached === null ? E.right(undefined) : await to.save(name, reached)();
        if (E.isLeft(saved)) return saved;
      }
      return E.right(undefined);
    },
  });
};

export interface CopyProgress {
  readonly copied: number;
  /** Events that the target had already, from an earlier attempt. */
  readonly found: number;
}

/** The target is not a beginning of the source. */
export interface AnotherLog {
  readonly _tag: 'AnotherLog';
  readonly reason: string;
}

export interface Copied extends CopyProgress, LogSummary {}

export type Answer<A> = E.Either<StoreUnavailable | AnotherLog, A>;

export interface Copying {
  readonly from: EventStore;
  readonly to: EventStore;
  readonly digest: (text: string) => string;
  readonly onProgress: (progress: CopyProgress) => void;
  /** The checkpoints of both logs; those of the source are carried over. */
  readonly checkpoints: { readonly from: Checkpoints; readonly to: Checkpoints };
  /** Transforms an event for the target, which has all earlier events by then. Default: none. */
  readonly prepare?: (event: StoredEvent) => Promise<Answer<NewEvent>>;
  /** The part of an event that must be equal in both logs. Default: everything. */
  readonly comparable?: (event: StoredEvent) => StoredEvent;
}

const maxEvents = 200;
const maxCharacters = 500_000;

export const anotherLog = (reason: string): E.Either<AnotherLog, never> => E.left({ _tag: 'AnotherLog', reason });

/** Groups consecutive events of one stream into appends of a size that any server accepts. */
const runsOf = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<ReadonlyArray<StoredEvent>> => {
  const runs: Array<StoredEvent[]> = [];
  let characters = 0;
  for (const event of events) {
    const size = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
    const run = runs.at(-1);
    characters += size;
    if (
      run !== undefined &&
      run[0]?.stream === event.stream &&
      event.stream !== sealStream &&
      run.length < maxEvents &&
      characters < maxCharacters
    )
      run.push(event);
    else {
      runs.push([event]);
      characters = size;
    }
  }
  return runs;
};

const asItIs = async ({ id, type, data, metadata, stream }: StoredEvent): Promise<Answer<NewEvent>> =>
  JsonObject.is(data) && JsonObject.is(metadata)
    ? E.right({ id, type, data, metadata })
    : anotherLog(`an event of ${stream} is no JSON object`);

/** Appends a group at its revision in the source. Repeating it changes nothing. */
const appendRun = async (
  { to, prepare = asItIs }: Copying,
  run: ReadonlyArray<StoredEvent>,
): Promise<Answer<Position | null>> => {
  const [first] = run;
  if (first === undefined) return E.right(null);
  const expected: ExpectedRevision = first.revision === 0 ? 'no_stream' : first.revision - 1;
  const events: NewEvent[] = [];
  for (const event of run) {
    const prepared = await prepare(event);
    if (E.isLeft(prepared)) return prepared;
    events.push(prepared.right);
  }
  const answer = await to.append(first.stream, expected, events)();
  if (E.isRight(answer)) return E.right(answer.right.position);
  return answer.left._tag !== 'RevisionConflict'
    ? E.left({ _tag: 'StoreUnavailable', reason: reasonOf(answer.left) })
    : anotherLog(`its stream ${first.stream} is at ${answer.left.actual} where ${expected} was expected`);
};

/** Where to continue: after the last event of the target, which the source must have too. */
const resumeAt = async ({ from, to }: Copying): Promise<Answer<{ after: Position | null; found: number }>> => {
  const newest: { event: StoredEvent | null } = { event: null };
  let found = 0;
  const read = await readPages(to, null, null, async (events) => {
    const own = events.filter(isOwn);
    found += own.length;
    newest.event = own.at(-1) ?? newest.event;
    return E.right(undefined);
  });
  if (E.isLeft(read)) return read;
  if (newest.event === null) return E.right({ after: null, found });
  const { stream, revision, id } = newest.event;
  const same = await from.read(stream, revision - 1, 1)();
  if (E.isLeft(same)) return same;
  const [event] = same.right;
  return event?.id === id
    ? E.right({ after: event.position, found })
    : anotherLog(`it ends with revision ${revision} of ${stream}, which the source does not hold`);
};

const differenceOf = (source: LogSummary, target: LogSummary): string | null => {
  if (source.events !== target.events) return `the source has ${source.events} events, the target ${target.events}`;
  const [stream] = [...source.streams].find(([name, revision]) => target.streams.get(name) !== revision) ?? [];
  if (stream !== undefined) return `the stream ${stream} differs in its last revision`;
  return source.digest === target.digest ? null : 'the content differs';
};

/**
 * Copies a log with ids, types, data, metadata and order into a store that is empty or has the beginning of it, as after an
 * earlier attempt. Finally reads and compares both logs: the number of events, the last revision of each stream, and a
 * digest of the content.
 */
export const copyLog = async (copying: Copying): Promise<Answer<Copied>> => {
  const { from, to, digest, onProgress, comparable, checkpoints } = copying;
  const start = await resumeAt(copying);
  if (E.isLeft(start)) return start;
  const carried = await carriedCheckpoints(checkpoints);
  if (E.isLeft(carried)) return carried;
  const { after, found } = start.right;
  let copied = 0;
  const read = await readPages(from, after, null, async (events) => {
    for (const run of runsOf(events.filter(isOwn))) {
      const answer = await appendRun(copying, run);
      if (E.isLeft(answer)) return answer;
      carried.right.passed(run.at(-1)?.position ?? null, answer.right);
      copied += run.length;
      onProgress({ copied, found });
    }
    return E.right(undefined);
  });
  if (E.isLeft(read)) return read;
  const [source, target] = [
    await summaryOf(from, digest, read.right, comparable),
    await summaryOf(to, digest, null, comparable),
  ];
  if (E.isLeft(source)) return source;
  if (E.isLeft(target)) return target;
  const difference = differenceOf(source.right, target.right);
  if (difference !== null) return anotherLog(difference);
  const saved = await carried.right.save();
  return E.isLeft(saved) ? saved : E.right({ copied, found, ...target.right });
};
