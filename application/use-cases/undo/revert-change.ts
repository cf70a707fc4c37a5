import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isAudioRefusalOf, type RevertAudioChange } from '../../../domain/audio/contract.js';
import {
  type SpeakersNotFollowed,
  type VideoRefusalOf,
  type RevertVideoChange,
  isVideoRefusalOf,
} from '../../../domain/video/contract.js';
import { type Failure, narrowRefusal } from '../../failures.js';
import { audioChangesOf, planRevert as planOnAudio } from '../../../domain/audio/revert-change.js';
import { audio as audioDecider } from '../../../domain/audio/decider.js';
import type { AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { runOf, videoChangesOf } from '../../../domain/video/reversible-changes.js';
import { video as videoDecider } from '../../../domain/video/decider.js';
import { planRevert as planOnVideo } from '../../../domain/video/decisions/revert-change.js';
import type { Application, Uses, EventsNotFound } from '../../application.js';
import type { FoundChange, UnknownEvent } from './find-change.js';
import { factsOf } from '../videos/change-video.js';
import { dryRun } from '../../commands/handle-command.js';
import type { RequestContext } from '../../commands/context.js';

import type { Position } from '../../../domain/kernel/recorded-event.js';
import { type Reverted, revertedBy } from './reverted.js';
import {
  type Records,
  type RevertWanted,
  type UndoRefusal,
  changeAt,
  registeredAudio,
  registeredVideo,
  undone,
} from './undone.js';

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
    revision: change.video_revision,
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
    revision: change.audio_revision,
    cause: { kind: 'request' },
    other:
      video === null
        ? null
        : {
            video_id: video.state.video_id,
            video_revision: video.revision,
            run_id: runOf(change.video),
            ...planOnVideo(video.state, videoChangesOf(change.video), facts, change.video_revision),
          },
    at,
  };
};

/** A video and its audio. */
const recordsOfVideo = (app: Uses<'audios' | 'videos'>, video_id: VideoId): TE.TaskEither<Failure, Records> =>
  pipe(
    TE.Do,
    TE.bind('video', () => registeredVideo(app, video_id)),
    TE.bind('audio', ({ video }) => registeredAudio(app, video?.state.audio_id ?? null)),
  );

/** An audio and its video. */
const recordsOfAudio = (
  app: Uses<'audios' | 'videos'>,
  audio_id: AudioId,
  video_id: VideoId | null,
): TE.TaskEither<Failure, Records> =>
  pipe(
    TE.Do,
    TE.bind('audio', () => registeredAudio(app, audio_id)),
    TE.bind('video', () => registeredVideo(app, video_id)),
  );

type Unfound = UnknownEvent | EventsNotFound | Failure;

/** The change of a video at a position. */
export const changeOfVideo = (
  app: Application,
  video_id: VideoId,
  position: Position,
): TE.TaskEither<Unfound, FoundChange> =>
  pipe(
    recordsOfVideo(app, video_id),
    TE.chainW((records) => changeAt(app, records, `video-${video_id}`, position)),
  );

/** The change of an audio at a position. */
export const changeOfAudio = (
  app: Application,
  audio_id: AudioId,
  video_id: VideoId | null,
  position: Position,
): TE.TaskEither<Unfound, FoundChange> =>
  pipe(
    recordsOfAudio(app, audio_id, video_id),
    TE.chainW((records) => changeAt(app, records, `audio-${audio_id}`, position)),
  );
const isOfVideo = isVideoRefusalOf('RevertVideoChange');
const isRevertRefusal = (
  refusal: Parameters<typeof isOfVideo>[0],
): refusal is VideoRefusalOf<'RevertVideoChange'> | SpeakersNotFollowed =>
  refusal._tag === 'SpeakersNotFollowed' || isOfVideo(refusal);

/** POST /v2/videos/{video_id}/history/{position}/revert (contract, Undo). */
export const revertVideoChange = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  wanted: RevertWanted,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const records = recordsOfVideo(app, video_id);
  const revert = undone(app, request, { stream: `video-${video_id}`, video_id }, wanted, records, (both, change) => {
    const command = onVideo(both, change, wanted, request.at);
    return wanted.dry_run
      ? pipe(dryRun(app.videos, videoDecider, video_id, command, request.if_match), narrowRefusal(isRevertRefusal))
      : pipe(
          app.perform(request, 'videos', video_id, command),
          narrowRefusal(isRevertRefusal),
          TE.map(({ recorded }) => recorded.map(({ event }) => event)),
        );
  });
  return pipe(
    revert,
    TE.map((events) => revertedBy(events, video_id)),
  );
};

/** POST /v2/audios/{audio_id}/history/{position}/revert (contract, Undo). */
export const revertAudioChange = (
  app: Application,
  request: RequestContext,
  audio_id: AudioId,
  video_id: VideoId | null,
  wanted: RevertWanted,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const records = recordsOfAudio(app, audio_id, video_id);
  const revert = undone(app, request, { stream: `audio-${audio_id}`, video_id }, wanted, records, (both, change) => {
    const command = onAudio(both, change, wanted, request.at);
    return wanted.dry_run
      ? pipe(
          dryRun(app.audios, audioDecider, audio_id, command, request.if_match),
          narrowRefusal(isAudioRefusalOf('RevertAudioChange')),
        )
      : pipe(
          app.perform(request, 'audios', audio_id, command),
          narrowRefusal(isAudioRefusalOf('RevertAudioChange')),
          TE.map(({ recorded }) => recorded.map(({ event }) => event)),
        );
  });
  return pipe(
    revert,
    TE.map((events) => revertedBy(events, audio_id)),
  );
};
