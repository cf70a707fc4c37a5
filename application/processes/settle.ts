import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioRefusal } from '../../domain/audio/contract.js';
import type { CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { MatchRunRefusal } from '../../domain/match-run/contract.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionRefusal } from '../../domain/realtime-session/contract.js';
import type { VideoRefusal } from '../../domain/video/contract.js';
import type { Application } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { CommandContext } from '../command-context.js';
import type { Handled } from '../handle-command.js';
import { followUpContext } from '../request-context.js';
import { type FollowUp, followUps } from './follow-ups.js';
import { type Seeing, rejoinings } from './rejoin-names.js';
import { writtenBefore } from './written-before.js';

type Refusal =
  | VideoRefusal
  | AudioRefusal
  | MatchRunRefusal
  | CreditAccountRefusal
  | RealtimeSessionRefusal
  | AtCapacity
  | RevisionChanged;
type Done = Handled<unknown, DomainEvent>;

const parentOf = (
  { app, how }: Seeing,
  { event, stream }: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, VideoId | null> =>
  event.type === 'SpeakersRenamed' ||
  event.type === 'NamesInferred' ||
  event.type === 'SpeakersMerged' ||
  event.type === 'SpeakerDeleted'
    ? pipe(
        app.audios[how](stream.slice('audio-'.length)),
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

type Wrote = (position: Position) => void;

const settleAll = (
  app: Application,
  wrote: Wrote | null,
  events: ReadonlyArray<RecordedEvent<DomainEvent>>,
): TE.TaskEither<Failure, void> =>
  pipe(
    TE.traverseSeqArray(settle(app, wrote))(events),
    TE.map(() => undefined),
  );

/** Somebody else may have written what follows: to see it, a reader must see all that the log holds now. */
const tellHead = (app: Application, wrote: Wrote): TE.TaskEither<Failure, void> =>
  pipe(
    app.store.head(),
    TE.map((head) => (head === null ? undefined : wrote(head))),
  );

/**
 * There was nothing to write, perhaps because the process was faster: it may still be on its way to what follows from
 * what it wrote. Only events of videos and audios have consequences.
 */
const doneByOthers = (
  app: Application,
  wrote: Wrote,
  cause: RecordedEvent<DomainEvent>,
  { to, id }: FollowUp,
  revision: number,
): TE.TaskEither<Failure, void> =>
  pipe(
    tellHead(app, wrote),
    TE.chainW(() =>
      to === 'video' || to === 'audio' ? writtenBefore(app.store, cause, `${to}-${id}`, revision) : TE.right([]),
    ),
    TE.chain((events) => settleAll(app, wrote, events)),
  );

/**
 * A request looks at what this instance knows: whatever it misses, the process finds. The process has to see all that
 * came before the event: it waits until that was heard of, or asks the store.
 */
const seeing = (app: Application, wrote: Wrote | null, { position }: RecordedEvent<unknown>): T.Task<Seeing> =>
  wrote !== null
    ? T.of({ app, how: 'known' })
    : pipe(
        app.news.heard(position),
        T.map((heard): Seeing => ({ app, how: heard ? 'known' : 'load' })),
      );

/** Carries out what follows from an event, and what follows from that in turn. */
const carryOutOf =
  (app: Application, wrote: Wrote | null, event: RecordedEvent<DomainEvent>) =>
  (how: Seeing['how'], followUp: FollowUp, name: string | number): TE.TaskEither<Failure, void> => {
    const context = (step: string): CommandContext => {
      const given = followUpContext(app.ids, event, `${step}/${name}`, app.clock.now());
      return wrote === null && how === 'known' ? { ...given, trusts_known: true } : given;
    };
    return pipe(
      carryOut(app, followUp, context('follow')),
      TE.orElseW((left) =>
        isFailure(left)
          ? TE.left<Refusal | Failure, Done | null>(left)
          : recover(app, followUp, left, context('take-back')),
      ),
      TE.orElse((left) => (isFailure(left) ? TE.left(left) : TE.right<Failure, Done | null>(null))),
      TE.chain((done) => {
        if (done === null) return wrote === null ? TE.right(undefined) : tellHead(app, wrote);
        if (done.position !== null) {
          wrote?.(done.position);
          return settleAll(app, wrote, done.recorded);
        }
        return wrote === null ? TE.right(undefined) : doneByOthers(app, wrote, event, followUp, done.revision);
      }),
    );
  };

/**
 * Makes everything happen that an event makes necessary in other streams, and what follows from that in turn.
 * The request that caused the event does this before it answers; a process does it again for every event of the
 * log, so that a crash in between leaves nothing half done. Repeating it changes nothing. `wrote` is told how far a
 * reader must see to see it all, also where the process was faster than the request; null: nobody asks.
 */
export const settle =
  (app: Application, wrote: Wrote | null) =>
  (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const one = carryOutOf(app, wrote, event);
    return pipe(
      TE.fromTask<Seeing, Failure>(seeing(app, wrote, event)),
      TE.bindTo('seen'),
      TE.bind('parent', ({ seen }) => parentOf(seen, event)),
      TE.chainFirst(({ seen, parent }) =>
        TE.traverseSeqArrayWithIndex((index, followUp: FollowUp) => one(seen.how, followUp, index))(
          followUps(event, parent),
        ),
      ),
      TE.bind('found', ({ seen, parent }) => rejoinings(seen, event, parent)),
      TE.chain(({ seen, found }) => {
        found?.positions.forEach((position) => {
          if (position !== null) wrote?.(position);
        });
        return TE.traverseSeqArray((followUp: FollowUp) =>
          one(seen.how, followUp, `rejoin ${JSON.stringify(followUp.command)}`),
        )(found?.followUps ?? []);
      }),
      TE.map(() => undefined),
    );
  };
