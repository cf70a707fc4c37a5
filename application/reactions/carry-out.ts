import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioRefusal, AudioCommand, FollowFaceMatch } from '../../domain/audio/contract.js';
import type { CreditAccountRefusal, CreditAccountCommand } from '../../domain/credit-account/contract.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { AudioId, VideoId, AccountId, RunId, SessionId } from '../../domain/kernel/ids.js';
import type { MatchRunRefusal, MatchRunCommand } from '../../domain/match-run/contract.js';
import type { AtCapacity, RealtimeCapacityCommand } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionRefusal, RealtimeSessionCommand } from '../../domain/realtime-session/contract.js';
import type { VideoCommand, RevertVideoChange, VideoRefusal } from '../../domain/video/contract.js';
import type { Dependencies, Uses } from '../application.js';
import { audioFacts } from '../use-cases/videos/change-video.js';
import type { CommandContext } from '../commands/context.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { Aggregate, CommandResult } from '../commands/handle-command.js';

/** A command to another stream that follows from an event. */
export type FollowUp =
  | { readonly to: 'video'; readonly id: VideoId; readonly command: VideoCommand }
  | { readonly to: 'audio'; readonly id: AudioId; readonly command: AudioCommand }
  | { readonly to: 'creditAccount'; readonly id: AccountId; readonly command: CreditAccountCommand }
  | { readonly to: 'matchRun'; readonly id: RunId; readonly command: MatchRunCommand }
  | { readonly to: 'realtimeSession'; readonly id: SessionId; readonly command: RealtimeSessionCommand }
  | { readonly to: 'realtimeCapacity'; readonly id: 'all'; readonly command: RealtimeCapacityCommand };

export type Refusal =
  | VideoRefusal
  | AudioRefusal
  | MatchRunRefusal
  | CreditAccountRefusal
  | RealtimeSessionRefusal
  | AtCapacity
  | MediumErased
  | RevisionChanged;
export type Done = CommandResult<unknown, DomainEvent>;

/** Removes the link to a video or audio that could not be registered because its id was taken. */
const unlink = (
  app: Uses<'audios' | 'videos'>,
  { video_id, audio_id }: { readonly video_id: VideoId; readonly audio_id: AudioId },
  taken: 'video' | 'audio',
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done | null> =>
  taken === 'video'
    ? pipe(
        app.videos.load(video_id),
        TE.chainW(({ state }) =>
          state._tag === 'Registered' && state.audio_id === audio_id
            ? TE.right(null)
            : app.audios.handle(audio_id, { type: 'DetachAudio', video_id }, context),
        ),
      )
    : pipe(
        app.audios.load(audio_id),
        TE.chainW(({ state }) =>
          state._tag === 'Registered' && state.video_id === video_id
            ? TE.right(null)
            : app.videos.handle(video_id, { type: 'DissociateAudio', audio_id }, context),
        ),
      );

const lastRevision = <Of extends { readonly revision: number }>(all: ReadonlyArray<Of>, upTo: number): Of | undefined =>
  all.findLast(({ revision }) => revision <= upTo);

/** Names speakers of matched faces: with the last renumbering that the video had followed when they were matched. */
const nameWithVideo = (
  app: Uses<'audios' | 'videos'>,
  audio_id: AudioId,
  command: FollowFaceMatch,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done> =>
  pipe(
    app.videos.load(command.video_id),
    TE.chainW(({ state }) => {
      const followed = state._tag === 'Registered' ? state.renumberings.speakers : [];
      const renumbered_at = lastRevision(followed, command.video_revision)?.audio_revision ?? -1;
      return app.audios.handle(audio_id, { ...command, renumbered_at }, context);
    }),
  );

/** Reverts a video change with the current audio: a face gets a speaker back only if the speaker still exists. */
const revertWithAudio = (
  app: Uses<'audios' | 'videos'>,
  video_id: VideoId,
  command: RevertVideoChange,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done> =>
  pipe(
    app.videos.load(video_id),
    TE.chain(({ state }) => audioFacts(app, state)),
    TE.chainW((audio) => app.videos.handle(video_id, { ...command, audio }, context)),
    // The process tries again, when the reactions to the analysis have run.
    TE.mapLeft((left) =>
      left._tag === 'SpeakersNotFollowed' ? ({ _tag: 'Contention', stream: `video-${video_id}` } as const) : left,
    ),
  );

/** Gives the command of a follow-up to its aggregate. */
export const carryOut = (
  app: Dependencies,
  followUp: FollowUp,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done> => {
  switch (followUp.to) {
    case 'video':
      return followUp.command.type === 'RevertVideoChange'
        ? revertWithAudio(app, followUp.id, followUp.command, context)
        : app.videos.handle(followUp.id, followUp.command, context);
    case 'audio':
      return followUp.command.type === 'FollowFaceMatch'
        ? nameWithVideo(app, followUp.id, followUp.command, context)
        : app.audios.handle(followUp.id, followUp.command, context);
    case 'creditAccount':
      return app.creditAccounts.handle(followUp.id, followUp.command, context);
    case 'matchRun':
      return app.matchRuns.handle(followUp.id, followUp.command, context);
    case 'realtimeSession':
      return app.realtimeSessions.handle(followUp.id, followUp.command, context);
    case 'realtimeCapacity':
      return app.realtimeCapacities.handle(followUp.id, followUp.command, context);
  }
};

/** The current revision of a follow-up's stream. */
export const revisionOf = (app: Dependencies, { to, id }: FollowUp): TE.TaskEither<Failure, number> => {
  const streams: Readonly<Record<FollowUp['to'], Pick<Aggregate<unknown, unknown, unknown, unknown>, 'load'>>> = {
    video: app.videos,
    audio: app.audios,
    creditAccount: app.creditAccounts,
    matchRun: app.matchRuns,
    realtimeSession: app.realtimeSessions,
    realtimeCapacity: app.realtimeCapacities,
  };
  return pipe(
    streams[to].load(id),
    TE.map(({ revision }) => revision),
  );
};

/** The id is in use, or was in use before an erasure. */
const isTaken = ({ _tag }: Refusal): boolean =>
  _tag === 'VideoExists' || _tag === 'AudioExists' || _tag === 'MediumErased';

/**
 * Handles the refusal of a follow-up: a failed registration is undone at the other record, and an erased audio is
 * forgotten; others need nothing.
 */
export const recover = (
  app: Uses<'audios' | 'log' | 'videos'>,
  { command }: FollowUp,
  refusal: Refusal,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done | null> => {
  if (command.type === 'RegisterVideo' && command.audio_id !== null && isTaken(refusal))
    return unlink(app, { video_id: command.video_id, audio_id: command.audio_id }, 'video', context);
  if (command.type === 'RegisterAudio' && command.video_id !== null) {
    const { audio_id, video_id } = command;
    // A link alone would be removed too early here: what the video has from the audio goes with it.
    if (refusal._tag === 'MediumErased')
      return app.videos.handle(video_id, { type: 'ForgetAudio', audio_id, at: refusal.erased_at }, context);
    if (isTaken(refusal)) return unlink(app, { video_id, audio_id }, 'audio', context);
  }
  app.log.info('a follow-up was not needed', { command: command.type, refusal: refusal._tag });
  return TE.right(null);
};
