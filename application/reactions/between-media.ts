import type { DataOf, DomainEvent } from '../../domain/event-catalogue.js';
import { type SpeakerId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { speakersName } from '../../domain/video/link-faces.js';
import type { AudioCommand } from '../../domain/audio/contract.js';
import { isNewSpeakerName } from '../../domain/video/decisions/match-faces.js';
import type { FollowUp } from './carry-out.js';
import type { Erasure } from '../../domain/kernel/erased.js';
import { type MatchedName, matchedNamesAfter } from '../../domain/video/diverged-names.js';
import type { VideoEvent } from '../../domain/video/events.js';

/** Speakers whom a person named while matching faces take these names. */
export const renameMatchedSpeakers = (
  { audio_id, at, ...matched }: DataOf<'FacesMatched'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const speakers = matched.speakers.filter(isNewSpeakerName);
  const command: AudioCommand = { type: 'FollowFaceMatch', video_id, video_revision, speakers, at };
  return speakers.length === 0 ? [] : [{ to: 'audio', id: audio_id, command }];
};

/** The faces that are matched to renamed speakers are called as these. */
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

/** The faces of a merged speaker go over to the one that it was merged into. */
export const moveFacesOfMergedSpeaker = (
  { from, into, removed, renamed, called, at }: DataOf<'SpeakersMerged'>,
  audio_id: AudioId,
  revision: number,
): ReadonlyArray<VideoCommand> => {
  const heir = { speaker_id: into, name: null, named_by: 'analysis' as const, ...called };
  return [
    { type: 'WithdrawSpeaker', speaker_id: from, name: removed.name, merged_into: heir, at },
    ...(renamed === null ? [] : [renameMatchedFaces({ speakers: [renamed], at }, audio_id, revision)]),
  ];
};

/** What the audio puts back with a change that is undone on the video. */
export const revertOnAudio = (
  { position, change_id, audio, at }: DataOf<'VideoChangeReverted'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  if (audio === null) return [];
  const cause = { kind: 'video' as const, video_id, video_revision };
  const { changes } = audio;
  const command: AudioCommand = { type: 'RevertAudioChange', position, change_id, changes, cause, other: null, at };
  return [{ to: 'audio', id: audio.audio_id, command }];
};

/** What the video puts back with a change that is undone on the audio; whoever carries it out tells it of the audio. */
export const revertOnVideo = (
  { position, change_id, video, at }: DataOf<'AudioChangeReverted'>,
  audio_id: AudioId,
  audio_revision: number,
): ReadonlyArray<VideoCommand> => {
  if (video === null) return [];
  const { changes, run_id } = video;
  const cause = { kind: 'audio' as const, audio_id, audio_revision };
  return [{ type: 'RevertVideoChange', position, change_id, changes, run_id, cause, other: null, audio: null, at }];
};

/** The audio of an erased video has no parent any more. */
export const detachAudio = ({ linked }: Erasure, video_id: VideoId): ReadonlyArray<FollowUp> =>
  AudioId.is(linked) ? [{ to: 'audio', id: linked, command: { type: 'DetachAudio', video_id } }] : [];

/** The video of an erased audio is told what it is without it, while that can still be known. */
export const forgetAudio = ({ linked, at }: Erasure, audio_id: AudioId): ReadonlyArray<FollowUp> =>
  VideoId.is(linked) ? [{ to: 'video', id: linked, command: { type: 'ForgetAudio', audio_id, at } }] : [];

/** Whose names, or whose faces, an event changed. */
export interface NamesToReconcile {
  /** Null: of all, but only whether they are still there. */
  readonly speaker_ids: ReadonlyArray<SpeakerId> | null;
  /** The faces as the event left them; null of one that changed speakers. */
  readonly matched: ReadonlyArray<MatchedName> | null;
}

export const namesOfSpeakers = (speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): NamesToReconcile | null =>
  speakers.length === 0 ? null : { speaker_ids: speakers.map(({ speaker_id }) => speaker_id), matched: null };

export const namesOfFaces = (event: VideoEvent): NamesToReconcile | null => {
  const matched = matchedNamesAfter(event);
  return matched.length === 0 ? null : { speaker_ids: matched.map(({ speaker_id }) => speaker_id), matched };
};

/** The faces of a speaker who is gone have gone over to another. */
export const namesOfWithdrawn = (event: VideoEvent): NamesToReconcile | null =>
  namesOfSpeakers(matchedNamesAfter(event));

/** An analysis that finds other speakers leaves faces with those whom it did not find. */
export const missingSpeakers = ({
  data,
}: Extract<DomainEvent, { type: 'AudioAnalysisRecorded' }>): NamesToReconcile | null =>
  data.status === 'completed' ? { speaker_ids: null, matched: null } : null;
