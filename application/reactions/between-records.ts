import type { DataOf } from '../../domain/event-catalogue.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { speakersName } from '../../domain/video/link-faces.js';
import type { AudioCommand } from '../../domain/audio/contract.js';
import { isNews } from '../../domain/video/decisions/match-faces.js';
import type { FollowUp } from './follow-up.js';

/** Speakers whom a person named while matching faces take these names. */
export const speakersFollow = (
  { audio_id, at, ...matched }: DataOf<'FacesMatched'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const speakers = matched.speakers.filter(isNews);
  const command: AudioCommand = { type: 'FollowFaceMatch', video_id, video_revision, speakers, at };
  return speakers.length === 0 ? [] : [{ to: 'audio', id: audio_id, command }];
};

/** The faces that are matched to renamed speakers are called as these. */
export const facesFollow = (
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
export const facesOfMerged = (
  { from, into, removed, renamed, called, at }: DataOf<'SpeakersMerged'>,
  audio_id: AudioId,
  revision: number,
): ReadonlyArray<VideoCommand> => {
  const heir = { speaker_id: into, name: null, named_by: 'analysis' as const, ...called };
  return [
    { type: 'WithdrawSpeaker', speaker_id: from, name: removed.name, merged_into: heir, at },
    ...(renamed === null ? [] : [facesFollow({ speakers: [renamed], at }, audio_id, revision)]),
  ];
};

/** What the audio puts back with a change that is undone on the video. */
export const audiosPart = (
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
export const videosPart = (
  { position, change_id, video, at }: DataOf<'AudioChangeReverted'>,
  audio_id: AudioId,
  audio_revision: number,
): ReadonlyArray<VideoCommand> => {
  if (video === null) return [];
  const { changes, run_id } = video;
  const cause = { kind: 'audio' as const, audio_id, audio_revision };
  return [{ type: 'RevertVideoChange', position, change_id, changes, run_id, cause, other: null, audio: null, at }];
};
