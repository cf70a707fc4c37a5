import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Utterance, Chunks } from '../../domain/audio/events.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { Uses } from '../application.js';
import { type Failure, type Contention, withheld } from '../failures.js';
import type { AudioId, SpeakerId } from '../../domain/kernel/ids.js';
import { type RequestContext, toNewEvent, commandContext } from '../commands/context.js';
import type { PackedParts } from './packed-match.js';
import * as E from 'fp-ts/lib/Either.js';
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { OnErasure } from '../ports/key-vault.js';
import type { EventStore, ExpectedRevision } from '../ports/event-store.js';
import { type AnyEvent, readEvent } from '../commands/read-event.js';
import type { Json } from '../../domain/kernel/recorded-event.js';
import { keyedQueue } from '../waiting.js';
import { followIds } from '../../domain/kernel/renumbering.js';

const attempts = 20;

/** Serialises writers of one stream, which would otherwise conflict at each part. */
const queue = keyedQueue();

/** The revision of the last known part; `no_stream` if there is none. */
const endOf = (last: Chunks | null): ExpectedRevision =>
  last === null ? 'no_stream' : last.first_revision + last.parts - 1;

const next = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const parse: (text: string) => Json = JSON.parse;
const decoder = new TextDecoder();

/** The index of a part among the parts of its analysis. */
interface Place {
  readonly part: number;
  readonly parts: number;
}

/**
 * Appends bulky evidence to its own stream, one append per part; a part is parsed only just before. Parts of an interrupted
 * earlier write remain in the stream; nothing refers to them.
 */
export const writeParts = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  stream: string,
  last: Chunks | null,
  { parts }: PackedParts,
  eventOf: (items: Json, place: Place) => AnyEvent,
): TE.TaskEither<Failure, Chunks> => {
  const from = (start: ExpectedRevision, left: number): TE.TaskEither<Failure, Chunks> => {
    const write = (index: number, expected: ExpectedRevision): TE.TaskEither<Failure, Chunks> => {
      const part = parts[index];
      if (part === undefined) return TE.right({ first_revision: next(start), parts: parts.length });
      const event = eventOf(parse(decoder.decode(part)), { part: index, parts: parts.length });
      return pipe(
        app.store.append(stream, expected, [toNewEvent(event, commandContext(app.ids, request), 0, stream)]),
        TE.matchE(
          (failure): TE.TaskEither<Failure, Chunks> => {
            if (failure._tag !== 'RevisionConflict') return TE.left(failure);
            return left > 0 ? from(failure.actual, left - 1) : TE.left<Contention>({ _tag: 'Contention', stream });
          },
          ({ revision, position }) => {
            request.onWrite(position);
            return write(index + 1, revision);
          },
        ),
      );
    };
    return write(0, start);
  };
  return queue.run(stream, from(endOf(last), attempts));
};

/** Reads the part of evidence with a revision. */
const readPart = (
  store: EventStore,
  stream: string,
  revision: number,
): TE.TaskEither<Failure, ReadonlyArray<DomainEvent>> =>
  pipe(
    store.read(stream, revision - 1, 1),
    TE.chainEitherKW(E.traverseArray(readEvent)),
    TE.chainW(
      TE.traverseArray(({ event }) =>
        event.type === 'Withheld' ? TE.left(withheld(stream, event.data)) : TE.right(event),
      ),
    ),
  );

/** An interval of evidence, with the recorded face or speaker. */
export interface Evidence extends Interval {
  readonly subject: number;
  /** Its approximate size in an answer, in characters. */
  readonly size: number;
}

/** A summary of one part, with which queries by time or subject can skip the part. */
export interface PartSummary {
  readonly count: number;
  /** Seconds. */
  readonly earliest_start: number;
  readonly latest_end: number;
  readonly subjects: ReadonlySet<number>;
}

/** Reads the parts of evidence streams, with an LRU cache. */
export interface PartReader<Item extends Evidence> {
  /** The items of one part, in recorded order. */
  readonly items: (stream: string, chunks: Chunks, part: number) => TE.TaskEither<Failure, ReadonlyArray<Item>>;
  /** The summaries of all parts; the first call for an analysis reads all parts. */
  readonly summaries: (stream: string, chunks: Chunks) => TE.TaskEither<Failure, ReadonlyArray<PartSummary>>;
}

const maxItems = 100_000;
const maxSummaries = 20_000;

const summaryOf = (items: ReadonlyArray<Evidence>): PartSummary => ({
  count: items.length,
  earliest_start: items.reduce((earliest, { start }) => Math.min(earliest, start), Infinity),
  latest_end: items.reduce((latest, { end }) => Math.max(latest, end), -Infinity),
  subjects: new Set(items.map(({ subject }) => subject)),
});

const revisionsOf = ({ first_revision, parts }: Chunks): ReadonlyArray<number> =>
  Array.from({ length: parts }, (_, part) => first_revision + part);

/**
 * Returns the cached value of a key, or reads and caches it. An erasure empties the cache; a value that was being read
 * meanwhile goes to the old one, which nobody reads again.
 */
const cachedUpTo = <Value extends ReadonlyArray<unknown>>(maxSize: number, onErasure: OnErasure) => {
  const empty = () => new LRUCache<string, Value>({ maxSize, sizeCalculation: ({ length }) => Math.max(1, length) });
  let cache = empty();
  onErasure(() => {
    cache = empty();
  });
  return (key: string, read: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure, Value> => {
    const into = cache;
    const known = into.get(key);
    return known !== undefined
      ? TE.right(known)
      : pipe(
          read,
          TE.map((value) => {
            into.set(key, value);
            return value;
          }),
        );
  };
};

export const partReader = <Item extends Evidence>(
  { store, onErasure }: Uses<'store' | 'onErasure'>,
  itemsOf: (event: DomainEvent) => ReadonlyArray<Item>,
): PartReader<Item> => {
  const cachedItems = cachedUpTo<ReadonlyArray<Item>>(maxItems, onErasure);
  const cachedSummaries = cachedUpTo<ReadonlyArray<PartSummary>>(maxSummaries, onErasure);
  const read = (stream: string, revision: number): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
    pipe(
      readPart(store, stream, revision),
      TE.map((events) => events.flatMap(itemsOf)),
    );
  return {
    items: (stream, { first_revision }, part) =>
      cachedItems(`${stream}@${first_revision + part}`, read(stream, first_revision + part)),
    summaries: (stream, chunks) =>
      cachedSummaries(
        `${stream}@${chunks.first_revision}`,
        pipe(
          revisionsOf(chunks),
          TE.traverseSeqArray((revision) => pipe(read(stream, revision), TE.map(summaryOf))),
        ),
      ),
  };
};

/** Appends a transcript, as JSON of `Utterance`, to the audio's `transcript` stream. `last`: the last known transcript in it. */
export const writeTranscript = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  transcript_id: string,
  last: Chunks | null,
  transcript: PackedParts,
): TE.TaskEither<Failure, Chunks> =>
  writeParts(app, request, `transcript-${audio_id}`, last, transcript, (utterances, place) => ({
    type: 'TranscriptRecorded',
    data: { audio_id, transcript_id, ...place, utterances },
  }));

/**
 * The transcript of an audio with its current speakers, in order.
 */
export const transcriptOf = (
  { store }: Uses<'store'>,
  { audio_id, transcript, changes }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Utterance>> => {
  const speakerOf = speakerIn(changes.transcript);
  const found: Utterance[] = [];
  return pipe(
    eachPart(store, `transcript-${audio_id}`, transcript, ({ type, data }) => {
      for (const { speaker_id: recorded, start, end, text } of type === 'TranscriptRecorded' ? data.utterances : []) {
        const speaker_id = speakerOf(recorded);
        if (speaker_id !== null) found.push({ speaker_id, start, end, text });
      }
    }),
    TE.map(() => found),
  );
};

/** The speaker after a change: the same, the one it was merged into or got the number of, or null. */
const after = (change: SpeakerChange): ((speaker_id: SpeakerId) => SpeakerId | null) =>
  change.kind === 'renumbered'
    ? followIds([change])
    : (speaker_id) => (speaker_id === change.speaker_id ? change.merged_into : speaker_id);

/**
 * Finds the current speaker for a recorded one: null after a deletion, or if no later analysis continues it. Results are
 * remembered: evidence has hundreds of thousands of turns of a few speakers.
 */
export const speakerIn = (changes: ReadonlyArray<SpeakerChange>): ((recorded: SpeakerId) => SpeakerId | null) => {
  const steps = changes.map(after);
  const known = new Map<SpeakerId, SpeakerId | null>();
  return (recorded) => {
    const before = known.get(recorded);
    if (before !== undefined) return before;
    const current = steps.reduce<SpeakerId | null>(
      (speaker_id, step) => (speaker_id === null ? null : step(speaker_id)),
      recorded,
    );
    known.set(recorded, current);
    return current;
  };
};

/** Passes the parts to `take` one at a time. */
export const eachPart = (
  store: EventStore,
  stream: string,
  chunks: Chunks | null,
  take: (part: DomainEvent) => void,
): TE.TaskEither<Failure, void> =>
  pipe(
    chunks === null ? [] : revisionsOf(chunks),
    TE.traverseSeqArray((revision) =>
      pipe(
        readPart(store, stream, revision),
        TE.map((events) => events.forEach(take)),
      ),
    ),
    TE.map(() => undefined),
  );
