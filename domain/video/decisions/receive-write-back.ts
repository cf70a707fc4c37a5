import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { record, refuse } from '../../kernel/decider.js';
import { buildBlock } from '../build-block.js';
import type { SpeakerId } from '../../kernel/ids.js';
import type { ReceiveWriteBack, AudioFacts, VideoDecision, VideoRefusalOf } from '../contract.js';
import { type WorkerAnswer, isWithinWindow, certainOrigin } from '../write-back.js';
import type { MatchMode, SkippedMatch, VideoEvent, WriteBackFacts } from '../events.js';
import { type IdFollower, followMatches, followSince, followUnmatched } from '../follow-matches.js';
import type { FaceChange } from '../changes.js';
import { type OpenRun, type RegisteredVideo, laterThanAllNames, restore } from '../state.js';
import { restoreFaces, withoutWithdrawn } from './revert-change.js';
import { checkDistinct, checkKnown, commitLinks } from '../link-faces.js';
import { splitByDecisions, withoutConfirmed } from './decide-links.js';

type Completed = Extract<WorkerAnswer, { status: 'completed' }>;

/** The run that an answer is attributed to, and the mode in which it is applied. */
interface Booking {
  readonly run: OpenRun | null;
  /** The matches by present ids, for the answer may use those of before a renumbering. */
  readonly follow: IdFollower;
  /** The targets by present ids; null: all speakers. */
  readonly targets: ReadonlyArray<SpeakerId> | null;
  readonly mode: MatchMode;
  readonly facts: WriteBackFacts;
}

const targetsOf = (state: RegisteredVideo, run: OpenRun | null): Booking['targets'] => {
  if (run === null || run.target_speaker_ids === null) return null;
  const { speaker } = followSince(state, run.revision);
  return run.target_speaker_ids.flatMap((speaker_id) => speaker(speaker_id) ?? []);
};

const ownBooking = (
  state: RegisteredVideo,
  run: OpenRun,
  { video_revision, audio, at, stale_seconds }: ReceiveWriteBack,
): Booking => ({
  run,
  follow: followSince(state, video_revision ?? run.revision),
  targets: targetsOf(state, run),
  mode: run.mode,
  facts: {
    run_id: run.run_id,
    audio_id: state.audio_id,
    ...certainOrigin(run.run_id, 'own', !isWithinWindow(run.queued_at, at, stale_seconds)),
    at: laterThanAllNames(at, state.faces, audio),
  },
});

/** Whether a worker may still use ids of before a renumbering: it has an older run, or began within the stale window. */
const mayUseOldIds = (
  { open_runs, renumberings, renumbered_at }: RegisteredVideo,
  { at, stale_seconds }: ReceiveWriteBack,
): boolean => {
  const last = Math.max(renumberings.faces.at(-1)?.revision ?? -1, renumberings.speakers.at(-1)?.revision ?? -1);
  return (
    (renumbered_at !== null && isWithinWindow(renumbered_at, at, stale_seconds)) ||
    open_runs.some(({ revision }) => revision < last)
  );
};

/**
 * Attribution without a run id: the stored mode decides (specification, section 3, including its race). The event
 * records which runs may have sent it.
 */
const assumedBooking = (state: RegisteredVideo, command: ReceiveWriteBack): Booking => {
  const { audio, at, stale_seconds, unattributed_run_id } = command;
  const run = state.open_runs.findLast(({ superseded }) => !superseded) ?? null;
  return {
    run,
    follow: followSince(state, Infinity),
    targets: targetsOf(state, run),
    mode: state.match.mode === 'suggest' ? 'suggest' : 'commit',
    facts: {
      run_id: run?.run_id ?? unattributed_run_id,
      audio_id: state.audio_id,
      attribution: run === null ? 'unattributed' : 'assumed',
      candidate_run_ids: state.open_runs.map(({ run_id }) => run_id),
      late_write_suspected:
        mayUseOldIds(state, command) ||
        state.open_runs.some(
          ({ mode, superseded, queued_at }) =>
            mode === 'suggest' && (superseded || !isWithinWindow(queued_at, at, stale_seconds)),
        ),
      late: false,
      at: laterThanAllNames(at, state.faces, audio),
    },
  };
};

const bookingOf = (
  state: RegisteredVideo,
  command: ReceiveWriteBack,
): E.Either<VideoRefusalOf<'ReceiveWriteBack'>, Booking> => {
  const { run_id } = command;
  if (run_id === null) return E.right(assumedBooking(state, command));
  const run = state.open_runs.find((open) => open.run_id === run_id);
  if (run === undefined) return E.left({ _tag: 'RunNotOpen', run_id });
  return run.superseded ? E.left({ _tag: 'RunSuperseded', run_id }) : E.right(ownBooking(state, run, command));
};

/** Changes of an earlier, assumed answer that the run's own answer takes back. */
const changesToTakeBack = (
  state: RegisteredVideo,
  audio: AudioFacts | null,
  { run, facts }: Booking,
): ReadonlyArray<FaceChange> =>
  facts.attribution === 'own' && run !== null
    ? restoreFaces(state.faces, withoutWithdrawn(run.assumed?.changes ?? [], audio), audio).changes
    : [];

const checkTargets = (
  { targets, facts }: Booking,
  matches: Completed['matches'],
): E.Either<VideoRefusalOf<'ReceiveWriteBack'>, void> => {
  const wanted = facts.attribution === 'own' ? targets : null;
  const targeted = new Set(wanted);
  const outside = wanted === null ? undefined : matches.find(({ speaker_id }) => !targeted.has(speaker_id));
  return outside === undefined
    ? E.right(undefined)
    : E.left({ _tag: 'SpeakerNotTargeted', speaker_id: outside.speaker_id });
};

const isOwn = ({ facts }: Booking): boolean => facts.attribution === 'own';

/** An answer by present ids, and its matches whose face or speaker is gone. */
interface FollowedAnswer extends Completed {
  readonly gone: ReadonlyArray<SkippedMatch>;
}

const followed = ({ follow }: Booking, answer: Completed): FollowedAnswer => {
  const { followed: matches, skipped: gone } = followMatches(answer.matches, follow);
  return { ...answer, matches, gone, unmatched_speakers: followUnmatched(answer.unmatched_speakers, follow) };
};

/**
 * The matches to apply. A run's own answer respects people's decisions; an answer without run id is applied as sent.
 */
const applicableMatches = (
  { faces, ruled_out }: RegisteredVideo,
  booking: Booking,
  { matches, gone }: FollowedAnswer,
): { readonly matches: Completed['matches']; readonly skipped: { readonly skipped?: FollowedAnswer['gone'] } } => {
  if (!isOwn(booking)) return { matches, skipped: {} };
  const { kept, skipped } = splitByDecisions(faces, ruled_out, matches);
  const left = [...gone, ...skipped];
  return { matches: kept, skipped: left.length === 0 ? {} : { skipped: left } };
};

const completed = (state: RegisteredVideo, audio: AudioFacts, booking: Booking, given: FollowedAnswer): VideoEvent => {
  const { mode, facts } = booking;
  const replaced = mode === 'suggest' ? [] : changesToTakeBack(state, audio, booking);
  const faces = restore(state.faces, replaced, facts.at);
  const { matches, skipped } = applicableMatches({ ...state, faces }, booking, given);
  const answer = { ...given, matches };
  if (mode === 'suggest')
    return {
      type: 'SuggestionsStored',
      data: {
        ...facts,
        ...skipped,
        block: buildBlock(
          state,
          audio,
          { run_id: facts.run_id, target_speaker_ids: booking.targets },
          answer,
          facts.at,
        ),
      },
    };
  return {
    type: 'MatchesCommitted',
    data: {
      ...facts,
      ...skipped,
      matches: answer.matches.map(({ face_id, speaker_id, accuracy }) => ({ face_id, speaker_id, accuracy })),
      replaced,
      changes: commitLinks(faces, isOwn(booking) ? withoutConfirmed(faces, matches) : matches, audio),
    },
  };
};

const failed = (
  state: RegisteredVideo,
  audio: AudioFacts | null,
  booking: Booking,
  error: string,
): VideoDecision<'ReceiveWriteBack'> => {
  const { run, mode, facts } = booking;
  const replacesAssumed = facts.attribution === 'own' && run !== null && run.assumed !== null;
  if (run === null || (mode === 'suggest' && state.match.status !== 'queue' && !replacesAssumed))
    return refuse({ _tag: 'NoRunToFail', run_id: run?.run_id ?? null });
  return record<VideoEvent>({
    type: 'MatchRunFailed',
    data: {
      ...facts,
      mode,
      error,
      replaced: changesToTakeBack(state, audio, booking),
      withdraws_block: mode === 'suggest' && replacesAssumed && state.match.status === 'completed',
    },
  });
};

/**
 * PUT matched_speakers, with or without a run id (specification, section 3). A refused answer of a run that was superseded
 * or has ended changes nothing: it is recorded as late in the run's own stream (`RecordLateWriteBack`).
 */
export const receiveWriteBack = (
  state: RegisteredVideo,
  command: ReceiveWriteBack,
): VideoDecision<'ReceiveWriteBack'> => {
  const booking = bookingOf(state, command);
  if (E.isLeft(booking)) return booking;
  const { answer, audio } = command;
  if (answer.status === 'failed') return failed(state, audio, booking.right, answer.error);
  if (audio === null) return refuse({ _tag: 'AudioMissing' });
  const present = followed(booking.right, answer);
  const checked = pipe(
    checkDistinct(answer.matches),
    E.chainW(() => checkKnown(present.matches, state.faces, audio.speakers)),
    E.chainW(() => checkTargets(booking.right, present.matches)),
  );
  if (E.isLeft(checked)) return checked;
  return record(completed(state, audio, booking.right, present));
};
