import type { DataOf, DomainEvent } from '../../domain/event-catalogue.js';
import { type SpeakerId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { speakersName } from '../../domain/video/link-faces.js';
import type { AudioCommand } from '../../domain/audio/contract.js';
import { isNewSpeakerName } from '../../domain/video/decisions/match-faces.js';
import { isRenumbering } from '../../domain/kernel/renumbering.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { FollowUp } from './carry-out.js';
import type { Erasure } from '../../domain/kernel/erased.js';
import { type MatchedName, matchedNamesAfter } from '../../domain/video/diverged-names.js';
import type { VideoEvent } from '../../domain/video/events.js';

/**
 * Renames the speakers that a person named while matching faces. `renumbered_at` is filled in when the command is
 * given.
 */
export const renameMatchedSpeakers = (
  { audio_id, at, ...matched }: DataOf<'FacesMatched'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const speakers = matched.speakers.filter(isNewSpeakerName);
  const command: AudioCommand = {
    type: 'FollowFaceMatch',
    video_id,
    video_revision,
    renumbered_at: -1,
    speakers,
    at,
  };
  return speakers.length === 0 ? [] : [{ to: 'audio', id: audio_id, command }];
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
  revision: number,
): ReadonlyArray<VideoCommand> => {
  const heir = { speaker_id: into, name: null, named_by: 'analysis' as const, ...called };
  return [
    {
      type: 'WithdrawSpeaker',
      audio_revision: revision,
      speaker_id: from,
      name: removed.name,
      merged_into: heir,
      at,
    },
    ...(renamed === null ? [] : [renameMatchedFaces({ speakers: [renamed], at }, audio_id, revision)]),
  ];
};

/** The audio's part of a change that is undone at the video. */
export const revertOnAudio = (
  { position, change_id, audio, at }: DataOf<'VideoChangeReverted'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  if (audio === null) return [];
  const cause = { kind: 'video' as const, video_id, video_revision };
  const { changes, audio_revision: revision } = audio;
  const command: AudioCommand = {
    type: 'RevertAudioChange',
    position,
    change_id,
    changes,
    revision,
    cause,
    other: null,
    at,
  };
  return [{ to: 'audio', id: audio.audio_id, command }];
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
  return [{ type: 'RevertVideoChange', position, change_id, ...own, cause, other: null, audio: null, at }];
};

/** Detaches the audio of an erased video. */
export const detachAudio = ({ linked }: Erasure, video_id: VideoId): ReadonlyArray<FollowUp> =>
  AudioId.is(linked) ? [{ to: 'audio', id: linked, command: { type: 'DetachAudio', video_id } }] : [];

/** Removes an erased audio from its video, while the link is still readable. */
export const forgetAudio = ({ linked, at }: Erasure, audio_id: AudioId): ReadonlyArray<FollowUp> =>
  VideoId.is(linked) ? [{ to: 'video', id: linked, command: { type: 'ForgetAudio', audio_id, at } }] : [];

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

/** Faces that were moved from a withdrawn speaker to another. */
export const namesOfWithdrawn = (event: VideoEvent): NamesToReconcile | null =>
  namesOfSpeakers(matchedNamesAfter(event));

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
