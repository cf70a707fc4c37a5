import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type SpeakerId, VideoId, AudioId } from '../../domain/kernel/ids.js';
import { type RecordedEvent, type Position, streamId } from '../../domain/kernel/recorded-event.js';
import type { Dependencies, Uses } from '../application.js';
import { type CommandContext, type RequestContext, followUpContext } from '../commands/context.js';
import { type Failure, isFailure } from '../failures.js';
import { type Done, type Refusal, type FollowUp, carryOut, recover, revisionOf } from './carry-out.js';
import type { FollowRenumbering, VideoCommand } from '../../domain/video/contract.js';
import { unfollowed } from '../use-cases/videos/change-video.js';
import { followUpsOf, reactionTo } from './table.js';
import { eventsCausedBy } from '../commands/read-event.js';
import {
  type RegisteredAudio,
  type SpeakerChange,
  type WithdrawnSpeaker,
  lastRenumbering,
} from '../../domain/audio/state.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import { type StandingName, divergedNames } from '../../domain/video/link-faces.js';
import { type RegisteredVideo, lastFollowed } from '../../domain/video/state.js';
import type { Folded } from '../commands/snapshots.js';
import type { NamesToReconcile } from './follow-ups.js';

/** Whether the names in the event equal those of the audio. Later changes reconcile themselves. */
const areEqual = ({ matched }: NamesToReconcile, { speakers }: RegisteredAudio): boolean => {
  if (matched === null) return false;
  const { for_faces, for_speakers, gone } = divergedNames(matched, speakers);
  return for_faces.length + for_speakers.length + gone.length === 0;
};

/** Groups names by date, oldest first. */
const byDate = (names: ReadonlyArray<StandingName>): ReadonlyArray<readonly [Timestamp, ReadonlyArray<StandingName>]> =>
  [...new Set(names.map(({ at }) => at))].sort().map((at) => [at, names.filter((name) => name.at === at)]);

/** The withdrawal of a speaker, if the audio still remembers it. */
const withdrawalOf = ({ turns, transcript }: RegisteredAudio['changes'], gone: SpeakerId): WithdrawnSpeaker | null => {
  const isIt = (change: SpeakerChange): change is WithdrawnSpeaker =>
    change.kind === 'withdrawn' && change.speaker_id === gone;
  return turns.findLast(isIt) ?? transcript.findLast(isIt) ?? null;
};

/** The commands that make the names of these speakers and their faces equal again. */
const followUpsFor = (
  { speaker_ids }: NamesToReconcile,
  { state: video, revision: video_revision }: Folded<RegisteredVideo>,
  { state: audio, revision: audio_revision }: Folded<RegisteredAudio>,
  at: Timestamp,
): ReadonlyArray<FollowUp> => {
  const { video_id, faces, ruled_out } = video;
  const { audio_id, speakers } = audio;
  // After a renumbering, the ids in the event may belong to other speakers: all are compared then.
  const wasRenumbered = video.renumberings.speakers.length > 0;
  const isPartial = speaker_ids !== null && !wasRenumbered;
  const about = new Set(isPartial ? speaker_ids : [...faces.values()].map(({ speaker_id }) => speaker_id));
  const matched = [...faces.values()].flatMap(({ speaker_id, name, named_at, name_origin }) =>
    speaker_id !== null && about.has(speaker_id) ? [{ speaker_id, name, named_at, name_origin }] : [],
  );
  const { for_faces, for_speakers, gone } = divergedNames(matched, speakers);
  const names = [
    ...byDate(for_faces).map(([date, named]): FollowUp => ({
      to: 'video',
      id: video_id,
      command: {
        type: 'FollowSpeakerNames',
        audio_id,
        audio_revision,
        speakers: named.map((speaker) => ({ ...speaker, claimed: false })),
        current: true,
        at: date,
      },
    })),
    ...byDate(for_speakers).map(([date, named]): FollowUp => ({
      to: 'audio',
      id: audio_id,
      command: {
        type: 'FollowFaceMatch',
        video_id,
        video_revision,
        renumbered_at: lastFollowed(video),
        speakers: named,
        at: date,
      },
    })),
  ];
  const decided = !isPartial ? [...ruled_out.keys()].filter((speaker_id) => !speakers.has(speaker_id)) : [];
  return [
    ...[...new Set([...gone, ...decided])].flatMap((speaker_id): ReadonlyArray<FollowUp> => {
      const withdrawal = withdrawalOf(audio.changes, speaker_id);
      const heir = speakers.get(withdrawal?.merged_into ?? speaker_id) ?? null;
      const command: VideoCommand = {
        type: 'WithdrawSpeaker',
        audio_revision,
        speaker_id,
        name: withdrawal?.name ?? null,
        merged_into: heir,
        at: withdrawal?.at ?? at,
      };
      return [{ to: 'video', id: video_id, command }];
    }),
    ...(speaker_ids === null && !wasRenumbered ? [] : names),
  ];
};

/** The necessary commands, and the positions up to which they are based on the log. */
interface Reconciliation {
  readonly followUps: ReadonlyArray<FollowUp>;
  readonly positions: ReadonlyArray<Position | null>;
}

const audioOf = (
  app: Uses<'videos'>,
  { event, stream }: RecordedEvent<DomainEvent>,
  video_id: VideoId,
): TE.TaskEither<Failure, AudioId | null> => {
  if (event.type === 'FacesMatched' || event.type === 'LinksDecided' || event.type === 'MatchesCommitted')
    return TE.right(event.data.audio_id);
  const id = streamId(stream);
  return stream.startsWith('audio-') && AudioId.is(id)
    ? TE.right(id)
    : pipe(
        app.videos.load(video_id),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.audio_id : null)),
      );
};

/**
 * Reconciles the names of faces and speakers. Concurrent changes of a video and its audio may leave a face and its speaker
 * with different names. Each change compares them after it is in the log, with everything before it, so the last one
 * finds any difference. Null: there was nothing to compare.
 */
const reconcileNames = (
  app: Uses<'videos' | 'audios'>,
  recorded: RecordedEvent<DomainEvent>,
  names: NamesToReconcile,
  video_id: VideoId,
): TE.TaskEither<Failure, Reconciliation | null> => {
  return pipe(
    audioOf(app, recorded, video_id),
    TE.chain((audio_id) => (audio_id === null ? TE.right(null) : app.audios.load(audio_id))),
    TE.chain((audio) => {
      if (audio === null || audio.state._tag !== 'Registered' || areEqual(names, audio.state)) return TE.right(null);
      const registered = { ...audio, state: audio.state };
      return pipe(
        app.videos.load(video_id),
        TE.map((video) =>
          // If the video has not followed a renumbering yet, the reaction to that compares all names.
          video.state._tag === 'Registered' &&
          video.state.audio_id === registered.state.audio_id &&
          lastFollowed(video.state) === lastRenumbering(registered.state)
            ? {
                followUps: followUpsFor(
                  names,
                  { ...video, state: video.state },
                  registered,
                  recorded.metadata.recorded_at,
                ),
                positions: [video.last?.position ?? null, registered.last?.position ?? null],
              }
            : null,
        ),
      );
    }),
  );
};

type Recorded = RecordedEvent<DomainEvent>;

/** Runs the reactions to an event, and to the events that these write, in turn. */
export type RunReactions = (event: Recorded) => TE.TaskEither<Failure, void>;

/** The differences between running reactions for a request and in the reaction process. */
interface Runner extends Pick<RequestContext, 'onWrite' | 'requireVisible'> {
  readonly app: Dependencies;
  /** Called when a follow-up wrote nothing. */
  readonly onNothingWritten: (
    event: Recorded,
    followUp: FollowUp,
    done: Done | null,
    run: RunReactions,
  ) => TE.TaskEither<Failure, void>;
}

const runAll = (run: RunReactions, events: ReadonlyArray<Recorded>): TE.TaskEither<Failure, void> =>
  pipe(TE.traverseSeqArray(run)(events), TE.map(constVoid));

/** The video of an event's stream: the video itself, or the parent of an audio. */
const videoOf = (app: Dependencies, { stream }: Recorded): TE.TaskEither<Failure, VideoId | null> => {
  const id = streamId(stream);
  if (stream.startsWith('video-')) return TE.right(VideoId.is(id) ? id : null);
  return pipe(
    app.audios.load(id),
    TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
  );
};

/**
 * For an event of an audio: the renumberings before it that the video has not followed yet. Requests may run reactions in
 * another order than that of the events.
 */
const earlierRenumberings = (
  app: Dependencies,
  { stream, revision }: Recorded,
  video_id: VideoId,
): TE.TaskEither<Failure, ReadonlyArray<FollowRenumbering>> =>
  stream.startsWith('audio-')
    ? pipe(
        app.audios.load(streamId(stream)),
        TE.chain(({ state: audio }) =>
          audio._tag !== 'Registered' || audio.renumberings.length === 0
            ? TE.right([])
            : pipe(
                app.videos.load(video_id),
                TE.map(({ state: video }) =>
                  video._tag === 'Registered'
                    ? unfollowed(audio, video, app.clock.now()).filter(
                        ({ audio_revision }) => audio_revision < revision,
                      )
                    : [],
                ),
              ),
        ),
      )
    : TE.right([]);

/** Carries out a follow-up, then runs the reactions to what it wrote. */
const followUpRunner =
  (runner: Runner, run: RunReactions, event: Recorded) =>
  (name: string | number, followUp: FollowUp): TE.TaskEither<Failure, void> => {
    const { app } = runner;
    const context = (step: string): CommandContext =>
      followUpContext(app.ids, event, `${step}/${name}`, app.clock.now());
    return pipe(
      carryOut(app, followUp, context('follow')),
      TE.orElseW((left) =>
        isFailure(left)
          ? TE.left<Refusal | Failure, Done | null>(left)
          : recover(app, followUp, left, context('take-back')),
      ),
      TE.orElse((left) => (isFailure(left) ? TE.left(left) : TE.right<Failure, Done | null>(null))),
      TE.chain((done) => {
        if (done === null || done.position === null) return runner.onNothingWritten(event, followUp, done, run);
        runner.onWrite(done.position);
        return runAll(run, done.recorded);
      }),
    );
  };

/** Distinguishes a reconciling follow-up from others of the same cause. Event ids in existing logs derive from it. */
const nameOf = ({ command }: FollowUp): string => `rejoin ${JSON.stringify(command)}`;

const runReactions = (runner: Runner): RunReactions => {
  const { app } = runner;
  const run: RunReactions = (event) => {
    if (event.event.type === 'MatchRunStarted') app.onRunStarted(event);
    const reaction = reactionTo(event);
    const { follow, onVideo, names } = reaction;
    if (follow.length + onVideo.length === 0 && names === null) return TE.right(undefined);

    const runOn = (video_id: VideoId | null): TE.TaskEither<Failure, void> => {
      const one = followUpRunner(runner, run, event);
      const catchUp = (id: VideoId): TE.TaskEither<Failure, unknown> =>
        pipe(
          earlierRenumberings(app, event, id),
          TE.chain(
            TE.traverseSeqArray((command) =>
              one(`renumbering/${command.audio_revision}`, { to: 'video', id, command }),
            ),
          ),
        );
      const followed = pipe(
        video_id === null ? TE.right<Failure, unknown>(null) : catchUp(video_id),
        TE.chain(() => TE.traverseSeqArrayWithIndex(one)(followUpsOf(reaction, video_id))),
        TE.map(constVoid),
      );
      if (names === null || video_id === null) return followed;
      return pipe(
        followed,
        TE.chain(() => reconcileNames(app, event, names, video_id)),
        TE.chain((found) => {
          found?.positions.forEach((position) => {
            if (position !== null) runner.requireVisible(position);
          });
          return TE.traverseSeqArray((followUp: FollowUp) => one(nameOf(followUp), followUp))(found?.followUps ?? []);
        }),
        TE.map(constVoid),
      );
    };

    return pipe(
      onVideo.length === 0 && names === null ? TE.right(null) : videoOf(app, event),
      TE.chain((video_id) =>
        pipe(
          runOn(video_id),
          TE.map(() => {
            if (onVideo.length === 0 || video_id !== null) app.reacted.set(event.event_id, true);
          }),
        ),
      ),
    );
  };
  return run;
};

/**
 * Runs the reactions for the request that caused an event, before it is answered. Follow-ups that the process wrote first count as written by the request, and
 * their own reactions are run too, since the process may not have got to them.
 */
export const reactionsForRequest = (
  app: Dependencies,
  { onWrite, requireVisible }: Pick<RequestContext, 'onWrite' | 'requireVisible'>,
): RunReactions =>
  runReactions({
    app,
    onWrite,
    requireVisible,
    onNothingWritten: (event, followUp, done, run) =>
      pipe(
        done === null ? revisionOf(app, followUp) : TE.right(done.revision),
        TE.bindTo('revision'),
        // What others wrote is at or before the current head of the log.
        TE.chainFirstW(() =>
          pipe(
            app.store.head(),
            TE.map((head) => (head === null ? undefined : requireVisible(head))),
          ),
        ),
        TE.chainW(({ revision }) =>
          eventsCausedBy(app.store, `${followUp.to}-${followUp.id}`, revision, {
            causation_id: event.event_id,
            since: event.position,
            contiguous: false,
          }),
        ),
        TE.chain((events) => {
          events.forEach(({ position }) => onWrite(position));
          return runAll(run, events);
        }),
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
    onNothingWritten: () => TE.right(undefined),
  });
  return (event) => (app.reacted.has(event.event_id) ? TE.right(undefined) : run(event));
};
