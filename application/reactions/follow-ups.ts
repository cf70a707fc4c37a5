import type { DataOf, DomainEvent } from '../../domain/event-catalogue.js';
import { type SpeakerId, type AccountId, type RunId, AudioId, VideoId, ChargeId } from '../../domain/kernel/ids.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import {
  type MatchedName,
  type StandingName,
  divergedNames,
  isNewSpeakerName,
  matchedNamesAfter,
  speakersName,
} from '../../domain/video/link-faces.js';
import type { FollowFaceMatch } from '../../domain/audio/contract.js';
import type { RegisteredAudio, SpeakerChange, WithdrawnSpeaker } from '../../domain/audio/state.js';
import { isRenumbering } from '../../domain/kernel/renumbering.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Erasure } from '../../domain/kernel/erased.js';
import type { VideoEvent } from '../../domain/video/events.js';
import { type RegisteredVideo, type VideoState, lastFollowed } from '../../domain/video/state.js';
import type { CreditAccountCommand } from '../../domain/credit-account/contract.js';
import { creditsOf, zeroCredits } from '../../domain/kernel/credits.js';
import type { RecordAnswer } from '../../domain/match-run/contract.js';
import { originOf } from '../../domain/video/write-back.js';
import type { FollowUp } from '../application.js';
import type { Folded } from '../commands/handle-command.js';

type Answer = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

/** Starts a queued run and supersedes earlier ones. */
export const startRun = (
  { supersedes, ...run }: DataOf<'MatchRunQueued'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const { run_id, at } = run;
  return [
    { to: 'matchRuns', id: run_id, command: { type: 'StartRun', video_id, video_revision, ...run } },
    ...supersedes.map((id): FollowUp => ({
      to: 'matchRuns',
      id,
      command: { type: 'SupersedeRun', video_revision, by: run_id, at },
    })),
  ];
};

const answerOf = (event: Answer, video_revision: number): RecordAnswer['answer'] => {
  const booked = { video_revision, ...originOf(event.data), at: event.data.at };
  switch (event.type) {
    case 'SuggestionsStored':
      return { type: 'MatchRunSuggested', data: { ...booked, suggested: event.data.block.mappings.length } };
    case 'MatchesCommitted': {
      const { replaced, changes } = event.data;
      return { type: 'MatchRunCommitted', data: { ...booked, replaced, changes } };
    }
    case 'MatchRunFailed': {
      const { replaced, error } = event.data;
      return { type: 'MatchRunFailureNoted', data: { ...booked, error, replaced } };
    }
  }
};

/** Records an answer in the stream of its run. */
export const bookAnswer = (event: Answer, video_id: VideoId, video_revision: number): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id } = event.data;
  const answer = answerOf(event, video_revision);
  return [{ to: 'matchRuns', id: run_id, command: { type: 'RecordAnswer', video_id, run_id, audio_id, answer } }];
};

/** Records in a run's stream that faces which it changed were reverted. */
export const noteRevert = (
  run_id: RunId | null,
  video_id: VideoId,
  { faces, at }: Pick<DataOf<'VideoChangeReverted'>, 'faces' | 'at'>,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const command = { type: 'RecordRevert', video_id, video_revision, changes: faces, at } as const;
  return run_id === null || faces.length === 0 ? [] : [{ to: 'matchRuns', id: run_id, command }];
};

type Charge = Omit<Extract<CreditAccountCommand, { type: 'ChargeCredits' }>, 'type'>;

const charge = (id: AccountId, facts: Charge): FollowUp => ({
  to: 'creditAccounts',
  id,
  command: { type: 'ChargeCredits', ...facts },
});

/** Charges an answered name inference; in commit mode also writes its names to the audio. */
export const chargeInference = (data: DataOf<'NameInferenceAnswered'>): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id, account_id, mode, target_speaker_ids, results, amount, by, at, renumbered_at = -1 } = data;
  if (!ChargeId.is(run_id)) return [];
  const charged = charge(account_id, {
    charge_id: run_id,
    amount: creditsOf(amount),
    reason: 'speaker-name inference',
    run_id,
    session_id: null,
    audio_id,
    at,
  });
  if (mode === 'suggest') return [charged];
  const command = { type: 'ApplyInference' as const, run_id, by, renumbered_at, target_speaker_ids, results, at };
  return [charged, { to: 'audios', id: audio_id, command }];
};

/** Charges a metered interval. The charge id is the session id with the number of the interval, so it is booked once. */
export const chargeMetering = ({
  session_id,
  account_id,
  index,
  amount,
  at,
}: DataOf<'RealtimeSessionMetered'>): ReadonlyArray<FollowUp> => {
  const charge_id = `${session_id}:${index}`;
  const due = creditsOf(amount);
  if (!ChargeId.is(charge_id) || due === zeroCredits) return [];
  const reason = 'realtime session';
  return [charge(account_id, { charge_id, amount: due, reason, run_id: null, session_id, audio_id: null, at })];
};

/** Frees the slot and the credit hold of an ended session. */
export const releaseSession = ({
  session_id,
  account_id,
  at,
}: DataOf<'RealtimeSessionEnded'>): ReadonlyArray<FollowUp> => {
  const slot: FollowUp = { to: 'realtimeCapacities', id: 'all', command: { type: 'FreeSlot', session_id, at } };
  if (account_id === null) return [slot];
  return [slot, { to: 'creditAccounts', id: account_id, command: { type: 'ReleaseHold', hold_id: session_id, at } }];
};

/** The command with the last renumbering of the audio that the video had followed when its faces were matched. */
export const withNumbersOfVideo = (command: FollowFaceMatch, matched: VideoState): FollowFaceMatch => {
  const followed = matched._tag === 'Registered' ? matched.renumberings.speakers : [];
  const last = followed.findLast(({ revision }) => revision <= command.video_revision);
  return { ...command, renumbered_at: last?.audio_revision ?? -1 };
};

/**
 * Renames the speakers that a person named while matching faces. `withNumbersOfVideo` fills in `renumbered_at` when the
 * command is given.
 */
export const renameMatchedSpeakers = (
  { audio_id, at, ...matched }: DataOf<'FacesMatched'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const speakers = matched.speakers.filter(isNewSpeakerName);
  const command = { type: 'FollowFaceMatch', video_id, video_revision, renumbered_at: -1, speakers, at } as const;
  return speakers.length === 0 ? [] : [{ to: 'audios', id: audio_id, command }];
};

/** Renames the faces that are matched to renamed speakers. */
export const renameMatchedFaces = (
  { speakers, at }: Pick<DataOf<'SpeakersRenamed'>, 'speakers' | 'at'>,
  audio_id: AudioId,
  audio_revision: number,
): VideoCommand => ({
  type: 'FollowSpeakerNames',
  audio_id,
  audio_revision,
  speakers: speakers.map(({ speaker_id, name, previous_name, named_by }) => ({
    speaker_id,
    ...speakersName({ name, named_by: named_by.after }, name),
    claimed: name === previous_name,
  })),
  current: false,
  at,
});

/** Moves the faces of a merged speaker to the speaker that it was merged into. */
export const moveFacesOfMergedSpeaker = (
  { from, into, removed, renamed, called, at }: DataOf<'SpeakersMerged'>,
  audio_id: AudioId,
  audio_revision: number,
): ReadonlyArray<VideoCommand> => {
  const heir = { speaker_id: into, name: null, named_by: 'analysis' as const, ...called };
  return [
    { type: 'WithdrawSpeaker', audio_revision, speaker_id: from, name: removed.name, merged_into: heir, at },
    ...(renamed === null ? [] : [renameMatchedFaces({ speakers: [renamed], at }, audio_id, audio_revision)]),
  ];
};

/** The record where the revert was asked for has restored its part, and reported what it could not. */
const restored = { other: null, changed_since: [] };

/** The audio's part of a change that is undone at the video. */
export const revertOnAudio = (
  { position, change_id, audio, at }: DataOf<'VideoChangeReverted'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  if (audio === null) return [];
  const cause = { kind: 'video' as const, video_id, video_revision };
  const { changes, audio_revision: revision } = audio;
  const own = { changes, revision };
  const command = { type: 'RevertAudioChange', position, change_id, ...own, cause, ...restored, at } as const;
  return [{ to: 'audios', id: audio.audio_id, command }];
};

/** The video's part of a change that is undone at the audio; `audio` is filled in when the command is given. */
export const revertOnVideo = (
  { position, change_id, video, at }: DataOf<'AudioChangeReverted'>,
  audio_id: AudioId,
  audio_revision: number,
): ReadonlyArray<VideoCommand> => {
  if (video === null) return [];
  const { changes, run_id, video_revision: revision } = video;
  const cause = { kind: 'audio' as const, audio_id, audio_revision };
  const own = { changes, revision, run_id };
  return [{ type: 'RevertVideoChange', position, change_id, ...own, cause, ...restored, audio: null, at }];
};

/** Detaches the audio of an erased video. */
export const detachAudio = ({ linked }: Erasure, video_id: VideoId): ReadonlyArray<FollowUp> =>
  AudioId.is(linked) ? [{ to: 'audios', id: linked, command: { type: 'DetachAudio', video_id } }] : [];

/** Removes an erased audio from its video, while the link is still readable. */
export const forgetAudio = ({ linked, at }: Erasure, audio_id: AudioId): ReadonlyArray<FollowUp> =>
  VideoId.is(linked) ? [{ to: 'videos', id: linked, command: { type: 'ForgetAudio', audio_id, at } }] : [];

/** Speakers whose names must be compared with those of their faces after an event. */
export interface NamesToReconcile {
  /** Null: all speakers of the audio, but only to find those that no longer exist. */
  readonly speaker_ids: ReadonlyArray<SpeakerId> | null;
  /** The matched faces as the event left them; null for an event that changed speakers. */
  readonly matched: ReadonlyArray<MatchedName> | null;
}

export const namesOfSpeakers = (speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): NamesToReconcile | null =>
  speakers.length === 0 ? null : { speaker_ids: speakers.map(({ speaker_id }) => speaker_id), matched: null };

export const namesOfFaces = (event: VideoEvent): NamesToReconcile | null => {
  const matched = matchedNamesAfter(event);
  return matched.length === 0 ? null : { speaker_ids: matched.map(({ speaker_id }) => speaker_id), matched };
};

/** The video follows an analysis of its audio that numbers the speakers differently. */
export const followRenumbering = (
  { renumbered, discontinued }: DataOf<'AudioAnalysisRecorded'>,
  audio_id: AudioId,
  audio_revision: number,
  at: Timestamp,
): ReadonlyArray<VideoCommand> =>
  isRenumbering({ renumbered, discontinued })
    ? [{ type: 'FollowRenumbering', audio_id, audio_revision, renumbered, discontinued, at }]
    : [];

/** A new analysis may leave faces matched to speakers that it did not find. */
export const missingSpeakers = ({
  data,
}: Extract<DomainEvent, { type: 'AudioAnalysisRecorded' }>): NamesToReconcile | null =>
  data.status === 'completed' ? { speaker_ids: null, matched: null } : null;

/** Whether the names in the event equal those of the audio. Later changes reconcile themselves. */
export const areEqual = ({ matched }: NamesToReconcile, { speakers }: RegisteredAudio): boolean => {
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
export const namesFollowUps = (
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
      to: 'videos',
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
      to: 'audios',
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
    ...[...new Set([...gone, ...decided])].map((speaker_id): FollowUp => {
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
      return { to: 'videos', id: video_id, command };
    }),
    ...(speaker_ids === null && !wasRenumbered ? [] : names),
  ];
};
