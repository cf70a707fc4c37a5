import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type LastingAudioChange, audioChangesOf, lastingAudioChange } from '../../domain/audio/change-contents.js';
import type { AudioRefusal, RevertAudioChange } from '../../domain/audio/contract.js';
import { audio as audioDecider } from '../../domain/audio/decider.js';
import { planRevert as planOnAudio } from '../../domain/audio/revert-change.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import {
  type LastingVideoChange,
  lastingVideoChange,
  runOf,
  videoChangesOf,
} from '../../domain/video/change-contents.js';
import type { VideoRefusal } from '../../domain/video/contract.js';
import type { RevertVideoChange } from '../../domain/video/revert-commands.js';
import { video as videoDecider } from '../../domain/video/decider.js';
import { planRevert as planOnVideo } from '../../domain/video/decisions/revert-change.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import { factsOf } from '../audio-facts.js';
import { decideAlone } from '../decide-alone.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { keyedQueue } from '../keyed-queue.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';
import type { Folded } from '../stream-cache.js';
import { type FoundChange, type UnknownEvent, findChange } from './find-change.js';
import { type Reverted, revertedBy } from './reverted.js';

/** The change is of a kind that lasts. */
export interface NotRevertible {
  readonly _tag: 'NotRevertible';
  readonly reason: LastingVideoChange | LastingAudioChange;
}

export interface RevertWanted {
  readonly position: Position;
  /** Answers the same and writes nothing. */
  readonly dry_run: boolean;
}

type Refusal = VideoRefusal | AudioRefusal | UnknownEvent | NotRevertible | RevisionChanged | Failure;

interface Records {
  readonly video: Folded<RegisteredVideo> | null;
  readonly audio: Folded<RegisteredAudio> | null;
}

/** What only accompanies a change that can be undone, and is no change by itself. */
const companions: ReadonlySet<NotRevertible['reason']> = new Set(['trigger', 'suggestions', 'failed_run']);

const checkRevertible = ({ video, audio }: FoundChange): E.Either<NotRevertible, void> => {
  const reasons = [...video.map(lastingVideoChange), ...audio.map(lastingAudioChange)];
  const lasting = reasons.find((reason) => reason !== null && !companions.has(reason));
  const reason = lasting ?? (reasons.includes(null) ? null : reasons[0]);
  return reason === null || reason === undefined ? E.right(undefined) : E.left({ _tag: 'NotRevertible', reason });
};

const registeredVideo = (app: Application, id: VideoId | null): TE.TaskEither<Failure, Records['video']> =>
  id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(id),
        TE.map(({ state, revision }) => (state._tag === 'Registered' ? { state, revision } : null)),
      );

const registeredAudio = (app: Application, id: AudioId | null): TE.TaskEither<Failure, Records['audio']> =>
  id === null
    ? TE.right(null)
    : pipe(
        app.audios.load(id),
        TE.map(({ state, revision }) => (state._tag === 'Registered' ? { state, revision } : null)),
      );

const found = (
  app: Application,
  { video, audio }: Records,
  asked: string,
  position: Position,
): TE.TaskEither<UnknownEvent | NotRevertible | Failure, FoundChange> => {
  const streams = [
    ...(video === null ? [] : [`video-${video.state.video_id}`]),
    ...(audio === null ? [] : [`audio-${audio.state.audio_id}`]),
  ];
  return pipe(
    findChange(app.store, streams, position),
    TE.filterOrElseW(
      (change) => change.streams.has(asked),
      (): UnknownEvent => ({ _tag: 'UnknownEvent', position }),
    ),
    TE.chainFirstW((change) => TE.fromEither(checkRevertible(change))),
  );
};

const onVideo = (
  { video, audio }: Records,
  change: FoundChange,
  { position }: RevertWanted,
  at: RequestContext['at'],
): RevertVideoChange => {
  const onAudio = audioChangesOf(change.audio);
  const facts = audio === null ? null : factsOf(audio.state);
  return {
    type: 'RevertVideoChange',
    position,
    change_id: change.change_id,
    changes: videoChangesOf(change.video),
    run_id: runOf(change.video),
    cause: { kind: 'request' },
    other:
      audio === null || video === null
        ? null
        : { audio_id: audio.state.audio_id, audio_revision: audio.revision, ...planOnAudio(audio.state, onAudio) },
    audio: facts,
    at,
  };
};

const onAudio = (
  { video, audio }: Records,
  change: FoundChange,
  { position }: RevertWanted,
  at: RequestContext['at'],
): RevertAudioChange => {
  const facts = audio === null ? null : factsOf(audio.state);
  return {
    type: 'RevertAudioChange',
    position,
    change_id: change.change_id,
    changes: audioChangesOf(change.audio),
    cause: { kind: 'request' },
    other:
      video === null
        ? null
        : {
            video_id: video.state.video_id,
            video_revision: video.revision,
            run_id: runOf(change.video),
            ...planOnVideo(video.state, videoChangesOf(change.video), facts),
          },
    at,
  };
};

/** Two that undo one change at once: the second sees what the first did, on both records. */
const queue = keyedQueue();

/** POST /v2/videos/{video_id}/history/{position}/revert (contract, Undo). */
export const revertVideoChange = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  wanted: RevertWanted,
): TE.TaskEither<Refusal, Reverted> => {
  const revert = pipe(
    TE.Do,
    TE.bind('video', () => registeredVideo(app, video_id)),
    TE.bind('audio', ({ video }) => registeredAudio(app, video?.state.audio_id ?? null)),
    TE.bindW('change', (records) => found(app, records, `video-${video_id}`, wanted.position)),
    TE.chainW(({ change, ...records }) => {
      const command = onVideo(records, change, wanted, request.at);
      return wanted.dry_run
        ? decideAlone(app.videos, videoDecider, video_id, command, request.if_match)
        : pipe(
            perform(app, request)(app.videos, video_id, command, commandContext(app.ids, request, request.if_match)),
            TE.map(({ recorded }) => recorded.map(({ event }) => event)),
          );
    }),
    TE.map((events) => revertedBy(events, video_id)),
  );
  return queue.run(`video-${video_id}`, revert);
};

/** POST /v2/audios/{audio_id}/history/{position}/revert: the same, with the audio as the record that is asked. */
export const revertAudioChange = (
  app: Application,
  request: RequestContext,
  audio_id: AudioId,
  video_id: VideoId | null,
  wanted: RevertWanted,
): TE.TaskEither<Refusal, Reverted> => {
  const revert = pipe(
    TE.Do,
    TE.bind('audio', () => registeredAudio(app, audio_id)),
    TE.bind('video', () => registeredVideo(app, video_id)),
    TE.bindW('change', (records) => found(app, records, `audio-${audio_id}`, wanted.position)),
    TE.chainW(({ change, ...records }) => {
      const command = onAudio(records, change, wanted, request.at);
      return wanted.dry_run
        ? decideAlone(app.audios, audioDecider, audio_id, command, request.if_match)
        : pipe(
            perform(app, request)(app.audios, audio_id, command, commandContext(app.ids, request, request.if_match)),
            TE.map(({ recorded }) => recorded.map(({ event }) => event)),
          );
    }),
    TE.map((events) => revertedBy(events, audio_id)),
  );
  return queue.run(video_id === null ? `audio-${audio_id}` : `video-${video_id}`, revert);
};
