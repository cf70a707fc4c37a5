import * as E from 'fp-ts/lib/Either.js';
import { type DomainEvent, storedType, isPersonal, subjectsOf } from '../../domain/event-catalogue.js';
import {
  type Position,
  type RecordedEvent,
  type Subject,
  JsonObject,
  isEventOf,
  streamCategory,
  audioSubject,
  subjectOfStream,
  videoSubject,
} from '../../domain/kernel/recorded-event.js';
import { typeName } from '../../projections/event-selection.js';
import { createLogScan } from '../../projections/audit/scan-log.js';
import { type Failure, reasonOf } from '../failures.js';
import { readLog } from '../audit/read-log.js';
import { sealStream, verifyLog } from '../audit/verify-log.js';
import { type Answer, type Copied, type Copying, anotherLog, copyLog } from './copy-log.js';
import type { EventStore, NewEvent, StoredEvent, StoreUnavailable, Page } from '../ports/event-store.js';
import type { PersonalKeys } from '../ports/key-vault.js';
import { LRUCache } from 'lru-cache';
import { aboutVideo } from '../../domain/audio/decider.js';
import { audioEvents } from '../../domain/audio/events.js';
import { aboutAudio, video } from '../../domain/video/decider.js';
import { videoEvents } from '../../domain/video/events.js';
import type { VideoState } from '../../domain/video/state.js';
import { namedIn } from '../idempotency/write-key.js';
import { readEvent } from '../commands/read-event.js';

type Read<A> = E.Either<Failure, A>;

const pageSize = 500;
const maxVideos = 1_000;
const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);

interface FoldedVideo {
  readonly state: VideoState;
  readonly revision: number;
}

/** The events of a stream after a revision, one at a time. Ends after a failure. */
async function* eventsOf(store: EventStore, stream: string, after = -1): AsyncGenerator<Read<StoredEvent>, void> {
  for (let last = after; ;) {
    const page: Read<ReadonlyArray<StoredEvent>> = await store.read(stream, last, pageSize)();
    if (E.isLeft(page)) {
      yield page;
      return;
    }
    if (page.right.length === 0) return;
    for (const event of page.right) {
      yield E.right(event);
      last = event.revision;
    }
  }
}

/** Folds videos up to an event of the log. */
const videosOf = (store: EventStore) => {
  const cache = new LRUCache<string, FoldedVideo>({ max: maxVideos });
  return async (stream: string, before: (event: StoredEvent) => boolean): Promise<Read<VideoState>> => {
    let folded: FoldedVideo = { state: video.initial, revision: -1 };
    const cached = cache.get(stream);
    const next = cached === undefined ? undefined : await store.read(stream, cached.revision - 1, 1)();
    if (cached !== undefined && next !== undefined && E.isRight(next) && next.right.every(before)) folded = cached;
    for await (const stored of eventsOf(store, stream, folded.revision)) {
      if (E.isLeft(stored)) return stored;
      if (!before(stored.right)) break;
      const read = readEvent(stored.right);
      if (E.isLeft(read)) return read;
      const { event } = read.right;
      const state = isVideoEvent(event) ? video.evolve(folded.state, event, stored.right.revision) : folded.state;
      folded = { state, revision: stored.right.revision };
    }
    cache.set(stream, folded);
    return E.right(folded.state);
  };
};

/** The media of a match run or a name inference, from its stream. */
const mediaOfStream = async (store: EventStore, stream: string): Promise<Read<ReadonlyArray<Subject>>> => {
  for await (const stored of eventsOf(store, stream)) {
    const read = E.chainW(readEvent)(stored);
    if (E.isLeft(read)) return read;
    const { event } = read.right;
    if (event.type === 'NameInferenceRequested') return E.right([audioSubject(event.data.audio_id)]);
    if (event.type !== 'MatchRunStarted') continue;
    const { video_id, audio_id } = event.data;
    return E.right([videoSubject(video_id), ...(audio_id === null ? [] : [audioSubject(audio_id)])]);
  }
  return E.right([]);
};

const correlationOf = ({ metadata }: StoredEvent): unknown =>
  typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'correlation_id') : undefined;

/** The subjects that a request wrote about, between its claim of the key and a position. */
const writtenBy = async (
  store: EventStore,
  { position, metadata: { correlation_id } }: RecordedEvent<DomainEvent>,
  until: Position,
): Promise<Read<ReadonlyArray<Subject>>> => {
  const found = new Set<Subject>();
  for (let after = position; after < until;) {
    const page: E.Either<Failure, Page> = await store.readAll(after, {}, pageSize)();
    if (E.isLeft(page)) return page;
    if (page.right.examined === null) break;
    for (const event of page.right.events) {
      if (event.position >= until || correlationOf(event) !== correlation_id) continue;
      const subject = subjectOfStream(event.stream);
      if (subject !== null) found.add(subject);
      // An inference that saves no names writes to its own stream alone.
      if (streamCategory(event.stream) !== 'nameInference') continue;
      const media = await mediaOfStream(store, event.stream);
      if (E.isLeft(media)) return media;
      media.right.forEach((medium) => found.add(medium));
    }
    after = page.right.examined;
  }
  return E.right([...found]);
};

/** The text of a stored answer, joined from its pieces. */
const textOfAnswer = (events: ReadonlyArray<RecordedEvent<DomainEvent>>, write_id: string): string =>
  events
    .map(({ event }) =>
      (event.type === 'AnswerPieceKept' || event.type === 'WriteAnswered') && event.data.write_id === write_id
        ? event.data.text
        : '',
    )
    .join('');

/** The media named in an answer. An incompletely stored answer is not valid JSON and yields none. */
const mediaNamedIn = (text: string): ReadonlyArray<Subject> =>
  E.getOrElse((): ReadonlyArray<Subject> => [])(E.tryCatch(() => namedIn(text, null), String));

/** The media in a stored answer: those named in it, those its request wrote to, and the audios of these videos. */
const mediaOfAnswer = async (
  store: EventStore,
  videoAt: ReturnType<typeof videosOf>,
  { stream, position }: StoredEvent,
  write_id: string,
): Promise<Read<ReadonlyArray<Subject>>> => {
  const events: Array<RecordedEvent<DomainEvent>> = [];
  const subjects = new Set<Subject>();
  for await (const stored of eventsOf(store, stream)) {
    const read = E.chainW(readEvent)(stored);
    if (E.isLeft(read)) return read;
    events.push(read.right);
    const { event } = read.right;
    if (event.type !== 'WriteClaimed' || event.data.write_id !== write_id || read.right.position > position) continue;
    const written = await writtenBy(store, read.right, position);
    if (E.isLeft(written)) return written;
    written.right.forEach((subject) => subjects.add(subject));
  }
  mediaNamedIn(textOfAnswer(events, write_id)).forEach((subject) => subjects.add(subject));
  for (const subject of [...subjects].filter((one) => one.startsWith('video-'))) {
    const state = await videoAt(subject, (event) => event.position < position);
    if (E.isLeft(state)) return state;
    if (state.right._tag === 'Registered' && state.right.audio_id !== null)
      subjects.add(audioSubject(state.right.audio_id));
  }
  return E.right([...subjects]);
};

/**
 * Finds the subjects with whose keys each event of an unencrypted log must be encrypted: those that `subjectsOf` gives for
 * new events.
 */
const subjectFinder = (store: EventStore): ((stored: StoredEvent) => Promise<Read<ReadonlyArray<Subject>>>) => {
  const videoAt = videosOf(store);
  const about = async (stored: StoredEvent, event: DomainEvent): Promise<Read<ReadonlyArray<Subject>>> => {
    const { stream, revision } = stored;
    switch (streamCategory(stream)) {
      case 'video':
        return E.map((state: VideoState) => (isVideoEvent(event) ? aboutAudio(state, event) : []))(
          await videoAt(stream, (earlier) => earlier.revision < revision),
        );
      case 'audio':
        return E.right(isAudioEvent(event) ? aboutVideo(event) : []);
      case 'matchRun':
      case 'nameInference':
        return mediaOfStream(store, stream);
      case 'idempotencyKey':
        return event.type === 'WriteAnswered' || event.type === 'AnswerPieceKept'
          ? mediaOfAnswer(store, videoAt, stored, event.data.write_id)
          : E.right([]);
      default:
        return E.right([]);
    }
  };
  return async (stored) => {
    const read = readEvent(stored);
    if (E.isLeft(read)) return read;
    return E.map((others: ReadonlyArray<Subject>) => subjectsOf(stored.type, stored.stream, others))(
      await about(stored, read.right.event),
    );
  };
};

/**
 * Whether a log, as it is stored, has encrypted data and no personal data in clear text. Reads it up to the first event
 * in clear text.
 */
export const isSealedLog = async (
  stored: EventStore,
  isSealed: (data: unknown) => boolean,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  let found = false;
  for await (const page of readLog(stored)) {
    if (E.isLeft(page)) return page;
    for (const { type, data } of page.right)
      if (isSealed(data)) found = true;
      else if (isPersonal(type)) return E.right(false);
  }
  return E.right(found);
};

export interface SealedCopying extends Omit<Copying, 'prepare' | 'comparable'> {
  /** The target in stored form, with personal data encrypted. */
  readonly stored: EventStore;
  /** The source in stored form: events of it may be encrypted already, and some of these erased. */
  readonly storedSource: Pick<EventStore, 'read'>;
  readonly keys: Pick<PersonalKeys, 'digest'>;
  /** The subjects with whose keys stored data is encrypted; null if it is not. */
  readonly sealedFor: (data: unknown) => ReadonlyArray<Subject> | null;
}

type Prepared = Answer<NewEvent>;

const sealType = storedType('LogSealed');
const isSeal = ({ type }: StoredEvent): boolean => typeName(type) === 'LogSealed';
const isClaim = ({ type }: StoredEvent): boolean => typeName(type) === 'WriteClaimed';

/** Creates a seal over the target so far, in place of the source's seal: the hashes differ. */
const sealing = (stored: EventStore) => {
  const scan = createLogScan();
  let last: Position | null = null;
  return async (data: JsonObject): Promise<Answer<JsonObject>> => {
    for await (const page of readLog(stored, {}, last)) {
      if (E.isLeft(page)) return page;
      page.right.forEach(scan.take);
      last = page.right.at(-1)?.position ?? last;
    }
    const sealed = scan.seal();
    return sealed === null
      ? anotherLog(`its first event is in ${sealStream}`)
      : E.right({ ...sealed, at: data['at'] ?? null });
  };
};

const preparer = ({ from, storedSource, stored, keys, sealedFor }: SealedCopying) => {
  const whose = subjectFinder(from);
  const sealAnew = sealing(stored);
  return async (event: StoredEvent): Promise<Prepared> => {
    const { id, type, data, metadata, stream } = event;
    if (!JsonObject.is(data) || !JsonObject.is(metadata)) return anotherLog(`an event of ${stream} is no JSON object`);
    if (isSeal(event))
      return E.map((sealed: JsonObject): NewEvent => ({ id, type: sealType, data: sealed, metadata }))(
        await sealAnew(data),
      );
    if (isClaim(event)) {
      const { request_digest } = data;
      if (typeof request_digest !== 'string') return anotherLog(`an event of ${stream} has no digest`);
      const digest = await keys.digest(null, request_digest)();
      if (E.isRight(digest)) return E.right({ id, type, data: { ...data, request_digest: digest.right }, metadata });
      return E.left({ _tag: 'StoreUnavailable', reason: reasonOf(digest.left) });
    }
    if (event.withheld === 'key_missing')
      return E.left({ _tag: 'StoreUnavailable', reason: `the key of ${stream} is missing: restore the keys first` });
    const read = await storedSource.read(stream, event.revision - 1, 1)();
    if (E.isLeft(read)) return read;
    const [original] = read.right;
    // What was erased stays as it is stored: nobody has its key.
    if (event.withheld === 'erased' && JsonObject.is(original?.data))
      return E.right({ id, type, data: original.data, metadata });
    const known = sealedFor(original?.data);
    const subjects = known === null ? await whose(event) : E.right(known);
    if (E.isRight(subjects)) return E.right({ id, type, data, metadata, subjects: subjects.right });
    return anotherLog(`an event of ${stream} cannot be read: ${subjects.left._tag}`);
  };
};

/** An event without what differs in a sealed copy: hashes, the content of seals, and digests. */
const comparable = (event: StoredEvent): StoredEvent => {
  const { data, metadata } = event;
  const { hash: _hash, ...plain } = JsonObject.is(metadata) ? metadata : {};
  if (isSeal(event)) return { ...event, type: sealType, data: null, metadata: plain };
  return isClaim(event) && JsonObject.is(data)
    ? { ...event, data: { ...data, request_digest: null }, metadata: plain }
    : { ...event, metadata: plain };
};

/** The first fault in a sealed log; null if there is none. */
const faultIn = async ({ stored, sealedFor }: SealedCopying): Promise<Answer<string | null>> => {
  const [fault] = (await verifyLog(stored)).faults;
  if (fault !== undefined) return E.right(fault.message);
  for await (const page of readLog(stored)) {
    if (E.isLeft(page)) return page;
    const clear = page.right.find(({ type, data }) => isPersonal(type) && sealedFor(data) === null);
    if (clear !== undefined) return E.right(`revision ${clear.revision} of ${clear.stream} is not sealed`);
  }
  return E.right(null);
};

/**
 * Copies an unencrypted log into one with encrypted personal data, with the same ids, order and times, and compares the two.
 * Seals are created again over the copy. The digests of requests with idempotency keys are replaced by keyed digests.
 */
export const sealCopy = async (copying: SealedCopying): Promise<Answer<Copied>> => {
  const copied = await copyLog({ ...copying, prepare: preparer(copying), comparable });
  if (E.isLeft(copied)) return copied;
  const fault = await faultIn(copying);
  if (E.isLeft(fault)) return fault;
  return fault.right === null ? copied : anotherLog(fault.right);
};
