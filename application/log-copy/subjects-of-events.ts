import * as E from 'fp-ts/lib/Either.js';
import { LRUCache } from 'lru-cache';
import { aboutVideo } from '../../domain/audio/decider.js';
import { audioEvents } from '../../domain/audio/events.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { isEventOf } from '../../domain/kernel/event-codecs.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import {
  streamCategory,
  type Subject,
  audioSubject,
  subjectOfStream,
  videoSubject,
} from '../../domain/kernel/stream-name.js';
import { subjectsOf } from '../../domain/personal-data.js';
import { aboutAudio, video } from '../../domain/video/decider.js';
import { videoEvents } from '../../domain/video/events.js';
import type { VideoState } from '../../domain/video/state.js';
import type { Failure } from '../failures.js';
import { namedIn } from '../idempotency/write-key.js';
import type { EventStore, Page, StoredEvent } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

type Answer<A> = E.Either<Failure, A>;

const pageSize = 500;
const maxVideos = 1_000;
const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);

interface FoldedVideo {
  readonly state: VideoState;
  readonly revision: number;
}

/** The events of a stream after a revision, one at a time. Ends after a failure. */
async function* eventsOf(store: EventStore, stream: string, after = -1): AsyncGenerator<Answer<StoredEvent>, void> {
  for (let last = after; ;) {
    const page: Answer<ReadonlyArray<StoredEvent>> = await store.read(stream, last, pageSize)();
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
  return async (stream: string, before: (event: StoredEvent) => boolean): Promise<Answer<VideoState>> => {
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
const mediaOfStream = async (store: EventStore, stream: string): Promise<Answer<ReadonlyArray<Subject>>> => {
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

/** The subjects whose streams a request wrote to, between its claim of the key and a position. */
const writtenBy = async (
  store: EventStore,
  { position, metadata: { correlation_id } }: RecordedEvent<DomainEvent>,
  until: Position,
): Promise<Answer<ReadonlyArray<Subject>>> => {
  const found = new Set<Subject>();
  for (let after = position; after < until;) {
    const page: E.Either<Failure, Page> = await store.readAll(after, {}, pageSize)();
    if (E.isLeft(page)) return page;
    if (page.right.examined === null) break;
    for (const event of page.right.events) {
      const subject = subjectOfStream(event.stream);
      if (subject !== null && event.position < until && correlationOf(event) === correlation_id) found.add(subject);
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
): Promise<Answer<ReadonlyArray<Subject>>> => {
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
export const subjectFinder = (
  store: EventStore,
): ((stored: StoredEvent) => Promise<Answer<ReadonlyArray<Subject>>>) => {
  const videoAt = videosOf(store);
  const about = async (stored: StoredEvent, event: DomainEvent): Promise<Answer<ReadonlyArray<Subject>>> => {
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
