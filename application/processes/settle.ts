import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioRefusal } from '../../domain/audio/contract.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { MatchRunRefusal } from '../../domain/match-run/contract.js';
import type { VideoRefusal } from '../../domain/video/contract.js';
import type { Application } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { CommandContext } from '../command-context.js';
import type { Handled } from '../handle-command.js';
import { followUpContext } from '../request-context.js';
import { type FollowUp, followUps } from './follow-ups.js';

type Refusal = VideoRefusal | AudioRefusal | MatchRunRefusal | RevisionChanged;
type Done = Handled<unknown, DomainEvent>;

const parentOf = (
  app: Application,
  { event, stream }: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, VideoId | null> =>
  event.type === 'SpeakersRenamed' || event.type === 'SpeakersMerged' || event.type === 'SpeakerDeleted'
    ? pipe(
        app.audios.load(stream.slice('audio-'.length)),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
      )
    : TE.right(null);

/** A registration that came too late because somebody else took the id: the association is taken back. */
const withoutLink = (
  app: Application,
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

const carryOut = (
  app: Application,
  followUp: FollowUp,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done> => {
  switch (followUp.to) {
    case 'video':
      return app.videos.handle(followUp.id, followUp.command, context);
    case 'audio':
      return app.audios.handle(followUp.id, followUp.command, context);
    case 'matchRun':
      return app.matchRuns.handle(followUp.id, followUp.command, context);
  }
};

/** What a refused follow-up makes necessary: a registration is undone on the other side, all others are moot. */
const recover = (
  app: Application,
  { command }: FollowUp,
  refusal: Refusal,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done | null> => {
  if (command.type === 'RegisterVideo' && command.audio_id !== null && refusal._tag === 'VideoExists')
    return withoutLink(app, { video_id: command.video_id, audio_id: command.audio_id }, 'video', context);
  if (command.type === 'RegisterAudio' && command.video_id !== null && refusal._tag === 'AudioExists')
    return withoutLink(app, { video_id: command.video_id, audio_id: command.audio_id }, 'audio', context);
  app.log.info('a follow-up was moot', { command: command.type, refusal: refusal._tag });
  return TE.right(null);
};

/** Somebody else wrote what was to be written, some time before now. */
const upToNow = (app: Application, wrote: (position: Position) => void): TE.TaskEither<Failure, void> =>
  pipe(
    app.store.head(),
    TE.map((head) => (head === null ? undefined : wrote(head))),
  );

/**
 * Makes everything happen that an event makes necessary in other streams, and what follows from that in turn.
 * The request that caused the event does this before it answers; a process does it again for every event of the
 * log, so that a crash in between leaves nothing half done. Repeating it changes nothing. `wrote` is told how far a
 * reader must see to see it all, also where the process was faster than the request; null: nobody asks.
 */
export const settle =
  (app: Application, wrote: ((position: Position) => void) | null) =>
  (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const one = (followUp: FollowUp, index: number): TE.TaskEither<Failure, void> => {
      const context = (step: string) => followUpContext(app.ids, event, `${step}/${index}`, app.clock.now());
      return pipe(
        carryOut(app, followUp, context('follow')),
        TE.orElseW((left) =>
          isFailure(left)
            ? TE.left<Refusal | Failure, Done | null>(left)
            : recover(app, followUp, left, context('take-back')),
        ),
        TE.orElse((left) => (isFailure(left) ? TE.left(left) : TE.right<Failure, Done | null>(null))),
        TE.chain((done) => {
          if (done === null) return TE.right(undefined);
          if (done.position === null) return wrote === null ? TE.right(undefined) : upToNow(app, wrote);
          wrote?.(done.position);
          return pipe(
            TE.traverseSeqArray(settle(app, wrote))(done.recorded),
            TE.map(() => undefined),
          );
        }),
      );
    };
    return pipe(
      parentOf(app, event),
      TE.chain((video_id) =>
        TE.traverseSeqArrayWithIndex((index, followUp: FollowUp) => one(followUp, index))(followUps(event, video_id)),
      ),
      TE.map(() => undefined),
    );
  };
