import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { lastRenumbering } from '../../domain/audio/state.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { type Position, type RecordedEvent, streamCategory, streamId } from '../../domain/kernel/recorded-event.js';
import type { FollowRenumbering } from '../../domain/video/contract.js';
import { lastFollowed } from '../../domain/video/state.js';
import {
  type Aggregates,
  type Application,
  type Dependencies,
  type FollowUp,
  type Kinds,
  type Perform,
  type Uses,
  isRefusalOf,
} from '../application.js';
import { type CommandContext, type RequestContext, followUpContext, commandContext } from '../commands/context.js';
import type { Aggregate, CommandResult, Fold } from '../commands/handle-command.js';
import { type Failure, type RevisionChanged, isFailure, narrowRefusal } from '../failures.js';
import { unfollowed, audioFacts } from '../use-cases/videos/change-video.js';
import { type NamesToReconcile, areEqual, namesFollowUps, withNumbersOfVideo } from './follow-ups.js';
import { followUpsOf, reactionTo } from './table.js';

type Recorded = RecordedEvent<DomainEvent>;

/** A video or an audio that an event concerns. Of the event's own stream, the state of then will do. */
const loaded = <State>(
  { load, streamOf }: Pick<Aggregate<never, State, DomainEvent, unknown>, 'load' | 'streamOf'>,
  { stream, revision }: Recorded,
  id: string,
): TE.TaskEither<Failure, Fold<State>> => load(id, stream === streamOf(id) ? revision : undefined);

/** The video of an event's stream: the video itself, or the parent of an audio. */
const videoOf = (app: Uses<'audios'>, recorded: Recorded): TE.TaskEither<Failure, VideoId | null> => {
  const id = streamId(recorded.stream);
  return streamCategory(recorded.stream) === 'video'
    ? TE.right(VideoId.is(id) ? id : null)
    : pipe(
        loaded(app.audios, recorded, id),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
      );
};

/**
 * Reconciles the names of faces and speakers. Concurrent changes of a video and its audio may leave a face and its speaker
 * with different names. Each change compares them after it is in the log, with everything before it, so the last one
 * finds any difference. Returns the necessary commands. `onRead`: called with the positions on which they are based.
 */
const reconcileNames = (
  app: Uses<'videos' | 'audios'>,
  recorded: Recorded,
  names: NamesToReconcile | null,
  video_id: VideoId | null,
  onRead: (position: Position) => void,
): TE.TaskEither<Failure, ReadonlyArray<FollowUp>> => {
  if (names === null || video_id === null) return TE.right([]);
  return pipe(
    loaded(app.videos, recorded, video_id),
    TE.chain(({ state: video, revision, last }) =>
      video._tag !== 'Registered' || video.audio_id === null
        ? TE.right([])
        : pipe(
            loaded(app.audios, recorded, video.audio_id),
            TE.map(({ state: audio, ...read }): ReadonlyArray<FollowUp> => {
              if (audio._tag !== 'Registered' || areEqual(names, audio)) return [];
              // If the video has not followed a renumbering yet, the reaction to that compares all names.
              if (lastFollowed(video) !== lastRenumbering(audio)) return [];
              for (const event of [last, read.last]) if (event !== null) onRead(event.position);
              const found = { state: audio, revision: read.revision };
              return namesFollowUps(names, { state: video, revision }, found, recorded.metadata.recorded_at);
            }),
          ),
    ),
  );
};

type Refusal = Kinds[FollowUp['to']]['refusal'] | RevisionChanged;
type Done = CommandResult<unknown, DomainEvent>;

/** A follow-up with what it depends on in another record. */
const completed = (app: Uses<'audios' | 'videos'>, followUp: FollowUp): TE.TaskEither<Failure, FollowUp> => {
  const { id, command } = followUp;
  switch (command.type) {
    case 'FollowFaceMatch':
      return pipe(
        app.videos.load(command.video_id, command.video_revision),
        TE.map(({ state }) => ({ to: 'audios', id, command: withNumbersOfVideo(command, state) })),
      );
    case 'RevertVideoChange':
      return pipe(
        app.videos.load(id),
        TE.chain(({ state }) => audioFacts(app, state)),
        TE.map((audio) => ({ to: 'videos', id, command: { ...command, audio } })),
      );
    default:
      return TE.right(followUp);
  }
};

/** Gives the command of a follow-up to its aggregate. */
const carryOut = <To extends FollowUp['to']>(
  app: Aggregates,
  { to, id, command }: FollowUp<To>,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done> =>
  pipe(
    app[to].handle(id, command, context),
    // The process tries again, when the reactions to the analysis have run.
    TE.mapLeft((left) =>
      left._tag === 'SpeakersNotFollowed' ? ({ _tag: 'Contention', stream: app[to].streamOf(id) } as const) : left,
    ),
  );

/** The id is in use, or was in use before an erasure. */
const isTaken = ({ _tag }: Refusal): boolean =>
  _tag === 'VideoExists' || _tag === 'AudioExists' || _tag === 'MediumErased';

/**
 * Handles the refusal of a follow-up: a link to a medium that could not be registered is removed again, unless that is
 * linked already, and an erased audio is forgotten; others need nothing.
 */
const recover = (
  app: Uses<'audios' | 'log' | 'videos'>,
  { command }: FollowUp,
  refusal: Refusal,
  context: CommandContext,
): TE.TaskEither<Refusal | Failure, Done | null> => {
  if (command.type === 'RegisterVideo' && command.audio_id !== null && isTaken(refusal)) {
    const { audio_id, video_id } = command;
    return pipe(
      app.videos.load(video_id),
      TE.chainW(({ state }) =>
        state._tag === 'Registered' && state.audio_id === audio_id
          ? TE.right(null)
          : app.audios.handle(audio_id, { type: 'DetachAudio', video_id }, context),
      ),
    );
  }
  if (command.type === 'RegisterAudio' && command.video_id !== null && isTaken(refusal)) {
    const { audio_id, video_id } = command;
    // A link alone would be removed too early here: what the video has from the audio goes with it.
    if (refusal._tag === 'MediumErased')
      return app.videos.handle(video_id, { type: 'ForgetAudio', audio_id, at: refusal.erased_at }, context);
    return pipe(
      app.audios.load(audio_id),
      TE.chainW(({ state }) =>
        state._tag === 'Registered' && state.video_id === video_id
          ? TE.right(null)
          : app.videos.handle(video_id, { type: 'DissociateAudio', audio_id }, context),
      ),
    );
  }
  app.log.info('a follow-up was not needed', { command: command.type, refusal: refusal._tag });
  return TE.right(null);
};

/** Runs the reactions to an event, and to the events that these write, in turn. */
type RunReactions = (event: Recorded) => TE.TaskEither<Failure, void>;

/** The differences between running reactions for a request and in the reaction process. */
interface Runner extends Pick<RequestContext, 'onWrite' | 'requireVisible'> {
  readonly app: Dependencies;
  /** Run when a follow-up wrote nothing. */
  readonly nothingWritten: TE.TaskEither<Failure, void>;
}

const runAll = (run: RunReactions, events: ReadonlyArray<Recorded>): TE.TaskEither<Failure, void> =>
  pipe(TE.traverseSeqArray(run)(events), TE.map(constVoid));

/**
 * For an event of an audio: the renumberings before it that its video has not followed yet. Requests may run reactions in
 * another order than that of the events.
 */
const earlierRenumberings = (
  app: Dependencies,
  recorded: Recorded,
  video_id: VideoId | null,
): TE.TaskEither<Failure, ReadonlyArray<FollowUp<'videos'> & { readonly command: FollowRenumbering }>> =>
  video_id === null || streamCategory(recorded.stream) !== 'audio'
    ? TE.right([])
    : pipe(
        loaded(app.audios, recorded, streamId(recorded.stream)),
        TE.chain(({ state }) => unfollowed(app, state, video_id, app.clock.now())),
        TE.map((commands) => commands.filter(({ audio_revision }) => audio_revision < recorded.revision)),
        TE.map((commands) => commands.map((command) => ({ to: 'videos', id: video_id, command }))),
      );

/** Carries out a follow-up, then runs the reactions to what it wrote. Event ids in existing logs derive from the name. */
const followUpRunner =
  (runner: Runner, run: RunReactions, event: Recorded) =>
  (name: string | number, followUp: FollowUp): TE.TaskEither<Failure, void> => {
    const { app } = runner;
    const context = (step: string): CommandContext =>
      followUpContext(app.ids, event, `${step}/${name}`, app.clock.now());
    return pipe(
      completed(app, followUp),
      TE.chainW((given) => carryOut<FollowUp['to']>(app, given, context('follow'))),
      TE.orElseW((left) =>
        isFailure(left)
          ? TE.left<Refusal | Failure, Done | null>(left)
          : recover(app, followUp, left, context('take-back')),
      ),
      TE.orElse((left) => (isFailure(left) ? TE.left(left) : TE.right<Failure, Done | null>(null))),
      TE.chain((done) => {
        if (done === null || done.position === null) return runner.nothingWritten;
        runner.onWrite(done.position);
        return runAll(run, done.recorded);
      }),
    );
  };

const runReactions = (runner: Runner): RunReactions => {
  const { app } = runner;
  const run: RunReactions = (event) => {
    if (event.event.type === 'MatchRunStarted') app.onRunStarted(event);
    const reaction = reactionTo(event);
    const { follow, onVideo, names } = reaction;
    if (follow.length + onVideo.length === 0 && names === null) return TE.right(undefined);
    const one = followUpRunner(runner, run, event);
    return pipe(
      onVideo.length === 0 && names === null ? TE.right(null) : videoOf(app, event),
      TE.chainFirst((video_id) =>
        pipe(
          earlierRenumberings(app, event, video_id),
          TE.chain(TE.traverseSeqArray((earlier) => one(`renumbering/${earlier.command.audio_revision}`, earlier))),
        ),
      ),
      TE.chainFirst((video_id) => TE.traverseSeqArrayWithIndex(one)(followUpsOf(reaction, video_id))),
      TE.chainFirst((video_id) =>
        pipe(
          reconcileNames(app, event, names, video_id, runner.requireVisible),
          TE.chain(TE.traverseSeqArray((followUp) => one(`rejoin ${JSON.stringify(followUp.command)}`, followUp))),
        ),
      ),
      TE.map((video_id) => {
        if (onVideo.length === 0 || video_id !== null) app.reacted.set(event.event_id, true);
      }),
    );
  };
  return run;
};

/**
 * Runs the reactions for the request that caused an event, before it is answered. Follow-ups that the process wrote
 * first count as written by the request, and their own reactions are run too, since the process may not have got to
 * them.
 */
export const reactionsForRequest = (
  app: Dependencies,
  { onWrite, requireVisible }: Pick<RequestContext, 'onWrite' | 'requireVisible'>,
): RunReactions =>
  runReactions({
    app,
    onWrite,
    requireVisible,
    // What others wrote is at or before the current head of the log.
    nothingWritten: pipe(
      () => app.store.head()(),
      TE.map((head) => (head === null ? undefined : requireVisible(head))),
    ),
  });

/**
 * Runs the reactions in the process that follows the log, so that a crash leaves nothing half done, unless this instance has
 * run them. Repeating them changes nothing.
 */
export const reactionsOfProcess = (app: Dependencies): RunReactions => {
  const run = runReactions({
    app,
    onWrite: constVoid,
    requireVisible: constVoid,
    nothingWritten: TE.right(undefined),
  });
  return (event) => (app.reacted.has(event.event_id) ? TE.right(undefined) : run(event));
};

/** The application: handles commands and runs the reactions to their events. */
export const application = (parts: Dependencies): Application => {
  const all: Aggregates = parts;
  const perform: Perform = (request, to, id, command, context = commandContext(parts.ids, request)) =>
    pipe(
      all[to].handle(id, command, context),
      narrowRefusal(isRefusalOf(to, command)),
      TE.chainTaskK((handled) => {
        if (handled.position !== null) request.onWrite(handled.position);
        return pipe(
          runAll(reactionsForRequest(parts, request), handled.recorded),
          TE.match(
            (unreacted): Failure | null => {
              const failure = { request_id: request.request_id, failure: unreacted._tag };
              parts.log.warn('follow-ups failed; the background process will run them', failure);
              return unreacted;
            },
            () => null,
          ),
          T.map((unreacted) => ({ ...handled, unreacted })),
        );
      }),
    );
  return {
    ...parts,
    perform,
    eventsOf: (request, to, id, command, dry_run, context) =>
      dry_run
        ? pipe(all[to].dryRun(id, command, request.if_match), narrowRefusal(isRefusalOf(to, command)))
        : pipe(
            perform(request, to, id, command, context),
            TE.map(({ recorded }) => recorded.map(({ event }) => event)),
          ),
  };
};
