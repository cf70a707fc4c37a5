import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type {
  AudioFacts,
  FollowRenumbering,
  LinkDecision,
  Mapping,
  SpeakersNotFollowed,
  VideoCommand,
} from '../../../domain/video/contract.js';
import { type Contention, type Failure, unlessRefused } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { type VideoState, lastFollowed } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import { type CommandContext, type RequestContext, commandContext, anyRevision } from '../../commands/context.js';
import { type AudioState, lastRenamedAt, lastRenumbering } from '../../../domain/audio/state.js';
import { renumberedAfter } from '../../../domain/kernel/renumbering.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';

type Needs = Uses<'audios' | 'perform' | 'videos'>;

/** The audio of a video; null if it has none. */
const audioOf = (app: Uses<'audios'>, video: VideoState): TE.TaskEither<Failure, AudioState | null> =>
  video._tag !== 'Registered' || video.audio_id === null
    ? TE.right(null)
    : pipe(
        app.audios.load(video.audio_id),
        TE.map(({ state }) => state),
      );

/** The commands with which a video follows the renumberings of its audio that it has not followed yet, in order. */
export const unfollowed = (
  app: Uses<'videos'>,
  audio: AudioState | null,
  video_id: VideoId,
  at: Timestamp,
): TE.TaskEither<Failure, ReadonlyArray<FollowRenumbering>> => {
  if (audio?._tag !== 'Registered' || audio.renumberings.length === 0) return TE.right([]);
  const { audio_id, renumberings, linked_at } = audio;
  return pipe(
    app.videos.load(video_id),
    TE.map(({ state: video }) =>
      video._tag === 'Registered' && video.audio_id === audio_id
        ? renumberedAfter(renumberings, Math.max(lastFollowed(video), linked_at)).map(
            ({ revision: audio_revision, renumbered, discontinued }) => ({
              type: 'FollowRenumbering',
              audio_id,
              audio_revision,
              renumbered,
              discontinued,
              at,
            }),
          )
        : [],
    ),
  );
};

/** Lets a video follow the renumberings of its audio that the reactions have not got to. */
const followSpeakers = (app: Needs, request: RequestContext, video_id: VideoId) => {
  // With ids of its own: a repetition of the request may find nothing to follow.
  const { write: _write, ...own } = anyRevision(request);
  return pipe(
    app.videos.load(video_id),
    TE.chain(({ state }) => audioOf(app, state)),
    TE.chain((audio) => unfollowed(app, audio, video_id, request.at)),
    // Refused: the video is gone, as the request will find.
    TE.chain(TE.traverseSeqArray((command) => unlessRefused(app.perform(own, 'videos', video_id, command)))),
  );
};

const attempts = 20;

/**
 * Repeats work on a video and its audio that finds one of them with other numbers of speakers than the other, after the
 * video has followed.
 */
export const whenFollowed = <Refusal extends { readonly _tag: string }, Done>(
  app: Needs,
  request: RequestContext,
  video_id: VideoId,
  work: TE.TaskEither<Refusal | SpeakersNotFollowed, Done>,
): TE.TaskEither<Exclude<Refusal, SpeakersNotFollowed> | Failure, Done> => {
  type Left = Exclude<Refusal, SpeakersNotFollowed> | Failure;
  const isOther = (refusal: Refusal | SpeakersNotFollowed): refusal is Exclude<Refusal, SpeakersNotFollowed> =>
    refusal._tag !== 'SpeakersNotFollowed';
  const attempt = (left: number): TE.TaskEither<Left, Done> =>
    pipe(
      work,
      TE.orElse((refusal): TE.TaskEither<Left, Done> => {
        if (isOther(refusal)) return TE.left(refusal);
        if (left === 0) return TE.left<Contention>({ _tag: 'Contention', stream: `video-${video_id}` });
        return pipe(
          followSpeakers(app, request, video_id),
          TE.chainW(() => attempt(left - 1)),
        );
      }),
    );
  return attempt(attempts);
};

/** What decisions about faces need to know of an audio; null if it does not exist. */
export const factsOf = (audio: AudioState): AudioFacts | null =>
  audio._tag !== 'Registered'
    ? null
    : {
        status: audio.status,
        speakers: [...audio.speakers.values()],
        renamed_at: lastRenamedAt(audio),
        renumbered_at: lastRenumbering(audio),
      };

/** The facts of a video's audio; null if it has none. */
export const audioFacts = (app: Uses<'audios'>, video: VideoState): TE.TaskEither<Failure, AudioFacts | null> =>
  pipe(
    audioOf(app, video),
    TE.map((audio) => audio && factsOf(audio)),
  );

/**
 * Works on a video with the facts of its audio; again when the video has followed. The context is that of the command
 * which the work gives, in each try.
 */
export const withAudio = <Refusal extends { readonly _tag: string }, Done>(
  app: Needs & Uses<'ids'>,
  request: RequestContext,
  video_id: VideoId,
  work: (audio: AudioFacts | null, context: CommandContext) => TE.TaskEither<Refusal | SpeakersNotFollowed, Done>,
): TE.TaskEither<Exclude<Refusal, SpeakersNotFollowed> | Failure, Done> => {
  const context = commandContext(app.ids, request);
  return whenFollowed(
    app,
    request,
    video_id,
    pipe(
      // The state on which the request was authorised: only which audio it has is needed, and a conflict is decided again.
      app.videos.load(video_id, -1),
      TE.chain(({ state }) => audioFacts(app, state)),
      TE.chainW((audio) => work(audio, context)),
    ),
  );
};

type AudioCommand = Extract<VideoCommand, { readonly audio: AudioFacts | null }>;

/** Gives a video a command that depends on its audio. */
export const performWithAudio = <const Command extends AudioCommand>(
  app: Needs & Uses<'ids'>,
  request: RequestContext,
  video_id: VideoId,
  command: (audio: AudioFacts | null) => Command,
) =>
  withAudio(app, request, video_id, (audio, context) =>
    app.perform(request, 'videos', video_id, command(audio), context),
  );

/** PUT speaker-face-match (specification, section 4.1). */
export const matchFaces = (
  app: Needs & Uses<'ids'>,
  request: RequestContext,
  video_id: VideoId,
  mappings: ReadonlyArray<Mapping>,
) => performWithAudio(app, request, video_id, (audio) => ({ type: 'MatchFaces', mappings, audio, at: request.at }));

/** POST speaker-face-match/decisions (contract, Decisions of people). */
export const decideLinks = (
  app: Needs & Uses<'ids'>,
  request: RequestContext,
  video_id: VideoId,
  decisions: ReadonlyArray<LinkDecision>,
) => performWithAudio(app, request, video_id, (audio) => ({ type: 'DecideLinks', decisions, audio, at: request.at }));
