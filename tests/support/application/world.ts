import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import { type Application, type RequestEvent, aggregates } from '../../../application/application.js';
import type { Caller, RequestContext } from '../../../application/commands/context.js';
import { readEvent } from '../../../application/commands/read-event.js';
import {
  type SentAudioAnalysis,
  type SentVideoAnalysis,
  packAudioAnalysis,
  packVideoAnalysis,
} from '../../../application/evidence/pack-analysis.js';
import type { NameInference, NameRequest } from '../../../application/name-inference/name-inference.js';
import type { EventStore, StoredEvent, Checkpoints } from '../../../application/ports/event-store.js';
import type { Ids } from '../../../application/ports/ids.js';
import type { PersonalKeys } from '../../../application/ports/key-vault.js';
import type { Log } from '../../../application/ports/log.js';
import { reactionProcess, sweepOnce } from '../../../application/processes/sweep.js';
import { application } from '../../../application/reactions/run.js';
import { bookCredits } from '../../../application/use-cases/credits/credits.js';
import { findChange } from '../../../application/use-cases/undo/find-change.js';
import { revertAudioChange, revertVideoChange } from '../../../application/use-cases/undo/revert-change.js';
import * as analyses from '../../../application/evidence/record-analysis.js';
import { registerAudio, registerVideo } from '../../../application/use-cases/videos/register.js';
import { keyedQueue } from '../../../application/queue-and-backoff.js';
import type { RegisterAudio } from '../../../domain/audio/contract.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import { ground } from '../../../domain/grounding/ground.js';
import type { AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { EventMetadata, type Position } from '../../../domain/kernel/recorded-event.js';
import type { Renumbering } from '../../../domain/kernel/renumbering.js';
import { continuations } from '../../../domain/matching/continuations.js';
import type { RegisterVideo } from '../../../domain/video/contract.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import { succeeded } from '../event-store/stores.js';
import { accountId, at, keyId, faceId, speakerId, audioId, videoId, credits } from '../values.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const uuidOf = (text: string): string => {
  const hex = hash(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Ids that are the same in every run of a test: the n-th of a seed. */
const deterministicIds = (seed: string): Ids => {
  let made = 0;
  const next = (): string => `${seed} ${(made += 1)}`;
  return {
    random: () => uuidOf(next()),
    derived: (cause, name) => uuidOf(`${cause}/${name}`),
    digest: hash,
    secret: () => hash(`secret ${next()}`),
    token: () => hash(`token ${next()}`),
  };
};

/** Key functions for a log without sealed events; `digest` returns that of the ids. */
const noPersonalKeys = (digest: (text: string) => string): PersonalKeys => ({
  erase: () => TE.right(undefined),
  isThere: () => TE.right(false),
  isLogSealed: () => TE.right(true),
  digest: (_subject, text) => TE.right(digest(text)),
});

/** An application on a store, with a clock that the test controls. */
export interface World {
  readonly app: Application;
  /** The log entries, each as `message: facts`. */
  readonly logged: string[];
  /** Advances the clock. */
  readonly pass: (seconds: number) => void;
  readonly now: () => number;
  /** The context of a request at the current time. */
  readonly request: (parts?: Partial<RequestContext>) => RequestContext;
}

export const owner: Caller = {
  key_id: keyId('key'),
  account_id: accountId('owner'),
  admin: false,
  permissions: new Set(['WORKER']),
  expires_at: null,
  maker_id: keyId('environment:tests'),
};

const linksOf = (events: ReadonlyArray<StoredEvent>, request_id: string): ReadonlyArray<RequestEvent> =>
  events.flatMap(({ position, stream, revision, id: event_id, metadata }) =>
    EventMetadata.is(metadata) && metadata.correlation_id === request_id
      ? [{ position, stream, revision, event_id, correlation_id: request_id, causation_id: metadata.causation_id }]
      : [],
  );

const remembering = (logged: string[]): Log => {
  const note = (message: string, facts = {}): void => void logged.push(`${message}: ${JSON.stringify(facts)}`);
  return { info: note, warn: note, error: note };
};

export const world = (store: EventStore, seed = 'world'): World => {
  const ids = deterministicIds(seed);
  const logged: string[] = [];
  let seconds = 0;
  return {
    app: application({
      ...aggregates(store),
      store,
      requestEvents: (streams, request_id) =>
        pipe(
          TE.traverseSeqArray((stream: string) => store.read(stream, -1, 10_000))(streams),
          TE.map((found) => linksOf(found.flat(), request_id)),
        ),
      onErasure: constVoid,
      ids,
      clock: { now: () => at(seconds) },
      compare: (earlier, newer) => () => Promise.resolve(continuations(earlier, newer)),
      log: remembering(logged),
      keys: noPersonalKeys(ids.digest),
      reacted: new LRUCache({ max: 1_000 }),
      onRunStarted: constVoid,
      stale_seconds: 900,
    }),
    logged,
    pass: (more) => void (seconds += more),
    now: () => seconds,
    request: (parts = {}) => ({
      caller: owner,
      request_id: ids.random(),
      at: at(seconds),
      if_match: null,
      onWrite: () => undefined,
      onKeyWrite: () => undefined,
      requireVisible: () => undefined,
      ...parts,
    }),
  };
};

/** A completed analysis with these faces by id and name, seen at no time unless said otherwise. */
export const foundFaces = (
  faces: ReadonlyArray<readonly [id: number, name: string | null]>,
  parts: Partial<SentVideoAnalysis['faces'][number]> = {},
): SentVideoAnalysis => ({
  status: 'completed',
  faces: faces.map(([id, name]) => ({ id: faceId(id), name, tracks: [], ...parts })),
});

/** A completed analysis with these speakers by id and name, and nothing else unless it is given. */
export const foundSpeakers = (
  speakers: ReadonlyArray<readonly [id: number, name: string | null]>,
  parts: Partial<SentAudioAnalysis> = {},
): SentAudioAnalysis => ({
  status: 'completed',
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name })),
  segments: [],
  ...parts,
});

/** The use cases for analyses as a worker sends them. */
export const recordVideoAnalysis = (app: Application, request: RequestContext, id: VideoId, full: SentVideoAnalysis) =>
  analyses.recordVideoAnalysis(app, request, id, packVideoAnalysis(full, app.ids.digest));

export const recordAudioAnalysis = (app: Application, request: RequestContext, id: AudioId, full: SentAudioAnalysis) =>
  analyses.recordAudioAnalysis(app, request, id, packAudioAnalysis(full, app.ids.digest));

const common = { owner_id: accountId('owner'), title: null, kind: 'upload' as const };

export const video = (id: string, audio: string | null = null): RegisterVideo => ({
  type: 'RegisterVideo',
  video_id: videoId(id),
  ...common,
  media_url: null,
  audio_id: audio === null ? null : audioId(audio),
});

export const audio = (id: string, parent: string | null = null): RegisterAudio => ({
  type: 'RegisterAudio',
  audio_id: audioId(id),
  ...common,
  video_id: parent === null ? null : videoId(parent),
  deal_persons: [],
});

export const analyseFaces = (
  { app, request }: World,
  id: string,
  faces: Parameters<typeof foundFaces>[0],
): Promise<Renumbering> => succeeded(recordVideoAnalysis(app, request(), videoId(id), foundFaces(faces)));

export const analyseSpeakers = (
  { app, request }: World,
  id: string,
  speakers: Parameters<typeof foundSpeakers>[0],
): Promise<Renumbering> => succeeded(recordAudioAnalysis(app, request(), audioId(id), foundSpeakers(speakers)));

/** A completed video with two faces and its completed audio with two speakers, both with the same id. */
export const completedMedia = async (world: World, id: string): Promise<void> => {
  await succeeded(registerVideo(world.app, world.request(), video(id)));
  await succeeded(registerAudio(world.app, world.request(), audio(id, id)));
  await analyseFaces(world, id, [
    [1, null],
    [2, 'Zoe'],
  ]);
  await analyseSpeakers(world, id, [
    [1, 'Ann'],
    [2, null],
  ]);
};

export const videoState = async ({ app }: World, id: string): Promise<RegisteredVideo> => {
  const { state } = await succeeded(app.videos.load(id));
  if (state._tag !== 'Registered') throw new Error(`no video ${id}`);
  return state;
};

export const audioState = async ({ app }: World, id: string): Promise<RegisteredAudio> => {
  const { state } = await succeeded(app.audios.load(id));
  if (state._tag !== 'Registered') throw new Error(`no audio ${id}`);
  return state;
};

/** Checkpoints in memory, which all instances of a test share. */
export const sharedCheckpoints = (): Checkpoints => {
  const saved = new Map<string, string>();
  return {
    load: (process) => TE.fromIO(() => saved.get(process) ?? null),
    save: (process, position) => TE.fromIO(() => void saved.set(process, position)),
  };
};

/** The application of another instance, which does not know the reactions that have been run. */
export const otherInstance = (app: Application): Application => ({ ...app, reacted: new LRUCache({ max: 1_000 }) });

/**
 * Runs the process for reactions, with empty caches, from a position to the end of the log; the
 * resulting events are included.
 */
export const runReactions = async (app: Application, after: Position | null = null): Promise<void> => {
  const checkpoints = sharedCheckpoints();
  const sweep = reactionProcess(otherInstance(app));
  if (after !== null) await succeeded(checkpoints.save(sweep.name, after));
  while ((await succeeded(checkpoints.load(sweep.name))) !== (await succeeded(app.store.head()))) {
    const failure = await sweepOnce(app, checkpoints, sweep, -Infinity);
    if (failure !== null) throw new Error(JSON.stringify(failure));
  }
};

/** Runs the reactions to each event at once, as it is written, while requests are served. */
export const reactAtOnce = (app: Application, after: Position | null) => {
  const { filter, react } = reactionProcess(app);
  return app.store.subscribe(after, filter, {
    onPage: async ({ events }) => {
      for (const stored of events) {
        const event = readEvent(stored);
        if (E.isLeft(event)) throw new Error(event.left.reason);
        for (let done = await react(event.right)(); E.isLeft(done);) done = await react(event.right)();
      }
    },
    onFailure: (failure) => {
      throw failure;
    },
  });
};

/** Every event of the log as `stream type`, in order. */
export const logOf = async ({ app }: World): Promise<ReadonlyArray<string>> => {
  const { events } = await succeeded(app.store.readAll(null, {}, 10_000));
  return events.map(({ stream, type }) => `${stream} ${type}`);
};

/** Undoes the change at a position of a video and its audio, which has the same id, where one of them is asked for. */
export const undo = (
  { app }: Pick<World, 'app'>,
  request: RequestContext,
  on: 'video' | 'audio',
  id: string,
  position: string,
) => {
  const [video, audio] = [`video-${id}`, `audio-${id}`];
  const [video_id, audio_id] = [videoId(id), audioId(id)];
  return on === 'video'
    ? pipe(
        findChange(app, video, audio, position),
        TE.chainW((change) => revertVideoChange(app, request, video_id, change, false)),
      )
    : pipe(
        findChange(app, audio, video, position),
        TE.chainW((change) => revertAudioChange(app, request, { audio_id, video_id }, change, false)),
      );
};

/** Name inference by a model that always proposes Ada, at 1 credit a call; `calls` returns the number of calls. */
export const inferenceOfAda = (
  timeout_seconds = 60,
): { readonly inference: NameInference; readonly calls: () => number } => {
  let calls = 0;
  const proposals = [
    { speaker_id: speakerId(1), name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' },
  ];
  const infer = () => {
    calls += 1;
    return TE.right({ proposals, total_tokens: 0 });
  };
  return {
    calls: () => calls,
    inference: {
      model: { name: 'always Ada', estimate: () => ({ least: 0, most: 0 }), infer },
      ground: (grounding) => TE.fromIO(() => ground(grounding)),
      price: { base: credits('1'), per_1k_tokens: credits('0') },
      timeout_seconds,
      running: keyedQueue(),
    },
  };
};

/** Records a transcript in which speaker 1 says that she is Ada, and gives the owner credits. */
export const recordAdaSpeaking = async (place: World, id: string): Promise<void> => {
  const { app, request } = place;
  const time = { start: 0, end: 4 };
  const spoken = { segments: [{ speaker_id: speakerId(1), ...time }] };
  const transcript = [{ speaker_id: speakerId(1), ...time, text: 'Hello, my name is Ada Lovelace.' }];
  const analysis = foundSpeakers(
    [
      [1, null],
      [2, null],
    ],
    { ...spoken, transcript },
  );
  await succeeded(recordAudioAnalysis(app, request(), audioId(id), analysis));
  await succeeded(bookCredits(app, request(), accountId('owner'), credits('10'), 'for a test'));
};

/** A request to infer the name of speaker 1. */
export const requestForAda = async (place: World, id: string, mode: NameRequest['mode']): Promise<NameRequest> => ({
  audio: await audioState(place, id),
  mode,
  target_speaker_ids: [speakerId(1)],
  infer_roles: false,
  max_credits: null,
});

/** A store that delays the appends to some streams until they are released, all at once. Later appends are not delayed. */
export const heldAppends = (store: EventStore, isToHold: (stream: string) => boolean = () => true) => {
  const waiting: Array<() => void> = [];
  let isHeld = true;
  const append: EventStore['append'] = (...call) => {
    if (!isHeld || !isToHold(call[0])) return store.append(...call);
    const released = new Promise<void>((resolve) => waiting.push(resolve));
    return async () => {
      await released;
      return store.append(...call)();
    };
  };
  return {
    store: { ...store, append },
    held: (): number => waiting.length,
    release: (): number => {
      isHeld = false;
      waiting.forEach((resolve) => resolve());
      return waiting.length;
    },
  };
};
