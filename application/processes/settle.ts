import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Application } from '../application.js';
import { type Failure, isFailure } from '../failures.js';
import type { CommandContext } from '../command-context.js';
import { type RequestContext, followUpContext } from '../request-context.js';
import { type Done, type Refusal, carryOut, recover, revisionOf } from './carry-out.js';
import { type FollowUp, followUps } from './follow-ups.js';
import { type Seeing, rejoinings } from './rejoin-names.js';
import { writtenBefore } from './written-before.js';

const parentOf = (
  { app, how }: Seeing,
  { event, stream }: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, VideoId | null> =>
  event.type === 'SpeakersRenamed' ||
  event.type === 'NamesInferred' ||
  event.type === 'SpeakersMerged' ||
  event.type === 'AudioAnalysisRecorded' ||
  event.type === 'AudioChangeReverted' ||
  event.type === 'SpeakerDeleted'
    ? pipe(
        app.audios[how](stream.slice('audio-'.length)),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
      )
    : TE.right(null);

/** Who asks what was written: a request. */
type Asking = Pick<RequestContext, 'wrote' | 'mustSee'>;

const settleAll = (
  app: Application,
  asking: Asking | null,
  events: ReadonlyArray<RecordedEvent<DomainEvent>>,
): TE.TaskEither<Failure, void> =>
  pipe(
    TE.traverseSeqArray(settle(app, asking))(events),
    TE.map(() => undefined),
  );

/** Somebody else may have written what follows: to see it, a reader must see all that the log holds now. */
const tellHead = (app: Application, { mustSee }: Asking): TE.TaskEither<Failure, void> =>
  pipe(
    app.store.head(),
    TE.map((head) => (head === null ? undefined : mustSee(head))),
  );

/**
 * There was nothing to write, perhaps because the process was faster: what it wrote counts as the request's, and it may
 * still be on its way to what follows from that.
 */
const doneByOthers = (
  app: Application,
  asking: Asking,
  cause: RecordedEvent<DomainEvent>,
  { to, id }: FollowUp,
  revision: number,
): TE.TaskEither<Failure, void> =>
  pipe(
    tellHead(app, asking),
    TE.chainW(() => writtenBefore(app.store, cause, `${to}-${id}`, revision)),
    TE.chainFirstIOK((events) => () => events.forEach(({ position }) => asking.wrote(position))),
    TE.chain((events) => settleAll(app, asking, events)),
  );

/**
 * A request looks at what this instance knows: whatever it misses, the process finds. The process has to see all that
 * came before the event: it waits until that was heard of, or asks the store.
 */
const seeing = (app: Application, asking: Asking | null, { position }: RecordedEvent<unknown>): T.Task<Seeing> =>
  asking !== null
    ? T.of({ app, how: 'known' })
    : pipe(
        app.news.heard(position),
        T.map((heard): Seeing => ({ app, how: heard ? 'known' : 'load' })),
      );

/** Carries out what follows from an event, and what follows from that in turn. */
const carryOutOf =
  (app: Application, asking: Asking | null, event: RecordedEvent<DomainEvent>) =>
  (how: Seeing['how'], followUp: FollowUp, name: string | number): TE.TaskEither<Failure, void> => {
    const context = (step: string): CommandContext => {
      const given = followUpContext(app.ids, event, `${step}/${name}`, app.clock.now());
      return asking === null && how === 'known' ? { ...given, trusts_known: true } : given;
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
        if (done !== null && done.position !== null) {
          asking?.wrote(done.position);
          return settleAll(app, asking, done.recorded);
        }
        if (asking === null) return TE.right(undefined);
        return pipe(
          done === null ? revisionOf(app, followUp) : TE.right(done.revision),
          TE.chain((revision) => doneByOthers(app, asking, event, followUp, revision)),
        );
      }),
    );
  };

/**
 * Makes everything happen that an event makes necessary in other streams, and what follows from that in turn.
 * The request that caused the event does this before it answers; a process does it again for every event of the
 * log, so that a crash in between leaves nothing half done. Repeating it changes nothing. The request is told what was
 * written, also where the process was faster; null: nobody asks.
 */
export const settle =
  (app: Application, asking: Asking | null) =>
  (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const one = carryOutOf(app, asking, event);
    return pipe(
      TE.fromTask<Seeing, Failure>(seeing(app, asking, event)),
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
          if (position !== null) asking?.mustSee(position);
        });
        return TE.traverseSeqArray((followUp: FollowUp) =>
          one(seen.how, followUp, `rejoin ${JSON.stringify(followUp.command)}`),
        )(found?.followUps ?? []);
      }),
      TE.map(() => undefined),
    );
  };
