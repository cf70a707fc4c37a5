import type { AudioCommand } from '../../domain/audio/contract.js';
import { type AudioEvent, audioEvents } from '../../domain/audio/events.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { CreditAccountCommand } from '../../domain/credit-account/contract.js';
import { creditsOf } from '../../domain/kernel/credits.js';
import { isEventOf } from '../../domain/kernel/event-codecs.js';
import { type AccountId, AudioId, ChargeId, type RunId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { MatchRunCommand } from '../../domain/match-run/contract.js';
import { type NameInferenceEvent, nameInferenceEvents } from '../../domain/name-inference/contract.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { type VideoEvent, videoEvents } from '../../domain/video/events.js';
import { type RealtimeFollowUp, isRealtimeEvent, realtimeFollowUps } from './realtime-follow-ups.js';
import { isNews } from '../../domain/video/decisions/match-faces.js';
import { speakersName } from '../../domain/video/link-faces.js';
import { matchRunFollowUps } from './match-run-follow-ups.js';

/** A command to another stream that an event makes necessary. */
export type FollowUp =
  | { readonly to: 'video'; readonly id: VideoId; readonly command: VideoCommand }
  | { readonly to: 'audio'; readonly id: AudioId; readonly command: AudioCommand }
  | { readonly to: 'creditAccount'; readonly id: AccountId; readonly command: CreditAccountCommand }
  | { readonly to: 'matchRun'; readonly id: RunId; readonly command: MatchRunCommand }
  | RealtimeFollowUp;

/** What the audio puts back with a change that is undone on the video. */
const audiosPart = (
  { position, change_id, audio, at }: Extract<VideoEvent, { type: 'VideoChangeReverted' }>['data'],
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  if (audio === null) return [];
  const cause = { kind: 'video' as const, video_id, video_revision };
  const { changes } = audio;
  const command: AudioCommand = { type: 'RevertAudioChange', position, change_id, changes, cause, other: null, at };
  return [{ to: 'audio', id: audio.audio_id, command }];
};

const ofVideo = (event: VideoEvent, video_id: VideoId, revision: number): ReadonlyArray<FollowUp> => {
  if (event.type === 'AudioAssociated') {
    const command: AudioCommand = { type: 'RegisterAudio', video_id, ...event.data };
    return [{ to: 'audio', id: event.data.audio_id, command }];
  }
  if (event.type === 'FacesMatched') {
    const { audio_id, at } = event.data;
    const speakers = event.data.speakers.filter(isNews);
    const command: AudioCommand = { type: 'FollowFaceMatch', video_id, video_revision: revision, speakers, at };
    return speakers.length === 0 ? [] : [{ to: 'audio', id: audio_id, command }];
  }
  const onAudio = event.type === 'VideoChangeReverted' ? audiosPart(event.data, video_id, revision) : [];
  const toRuns = matchRunFollowUps(event, video_id, revision).map(({ run_id, event: told }): FollowUp => ({
    to: 'matchRun',
    id: run_id,
    command: { type: 'FollowVideo', event: told },
  }));
  return [...onAudio, ...toRuns];
};

/** The faces that are matched to renamed speakers are called as these. */
const facesFollow = (
  { speakers, at }: Pick<Extract<AudioEvent, { type: 'SpeakersRenamed' }>['data'], 'speakers' | 'at'>,
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

const merged = (
  { from, into, removed, renamed, called, at }: Extract<AudioEvent, { type: 'SpeakersMerged' }>['data'],
  audio_id: AudioId,
  revision: number,
): ReadonlyArray<VideoCommand> => {
  const heir = { speaker_id: into, name: null, named_by: 'analysis' as const, ...called };
  return [
    { type: 'WithdrawSpeaker', speaker_id: from, name: removed.name, merged_into: heir, at },
    ...(renamed === null ? [] : [facesFollow({ speakers: [renamed], at }, audio_id, revision)]),
  ];
};

/** What the video puts back with a change that is undone on the audio; whoever carries it out tells it of the audio. */
const videosPart = (
  { position, change_id, video, at }: Extract<AudioEvent, { type: 'AudioChangeReverted' }>['data'],
  audio_id: AudioId,
  audio_revision: number,
): ReadonlyArray<VideoCommand> => {
  if (video === null) return [];
  const { changes, run_id } = video;
  const cause = { kind: 'audio' as const, audio_id, audio_revision };
  return [{ type: 'RevertVideoChange', position, change_id, changes, run_id, cause, other: null, audio: null, at }];
};

/** `video_id`: the audio's parent, when it has one. */
const ofAudio = (
  event: AudioEvent,
  audio_id: AudioId,
  revision: number,
  video_id: VideoId | null,
): ReadonlyArray<FollowUp> => {
  if (event.type === 'AudioAttached') {
    const command: VideoCommand = { type: 'RegisterVideo', audio_id, ...event.data };
    return [{ to: 'video', id: event.data.video_id, command }];
  }
  if (video_id === null) return [];
  const toVideo = (...commands: ReadonlyArray<VideoCommand>): ReadonlyArray<FollowUp> =>
    commands.map((command) => ({ to: 'video', id: video_id, command }));
  switch (event.type) {
    case 'SpeakersRenamed':
      return event.data.cause.kind === 'request' ? toVideo(facesFollow(event.data, audio_id, revision)) : [];
    case 'NamesInferred': {
      const { renamed, at } = event.data;
      return renamed.length === 0 ? [] : toVideo(facesFollow({ speakers: renamed, at }, audio_id, revision));
    }
    case 'SpeakersMerged':
      return toVideo(...merged(event.data, audio_id, revision));
    case 'SpeakerDeleted': {
      const { removed, at } = event.data;
      const { speaker_id, name } = removed;
      return toVideo({ type: 'WithdrawSpeaker', speaker_id, name, merged_into: null, at });
    }
    case 'AudioChangeReverted':
      return toVideo(...videosPart(event.data, audio_id, revision));
    default:
      return [];
  }
};

/** An answered inference is charged, and a committing one is written to the audio. */
const ofInference = (event: NameInferenceEvent): ReadonlyArray<FollowUp> => {
  if (event.type !== 'NameInferenceAnswered' || !ChargeId.is(event.data.run_id)) return [];
  const { run_id, audio_id, account_id, mode, target_speaker_ids, results, amount, by, at } = event.data;
  const charge: FollowUp = {
    to: 'creditAccount',
    id: account_id,
    command: {
      type: 'ChargeCredits',
      charge_id: event.data.run_id,
      amount: creditsOf(amount),
      reason: 'speaker-name inference',
      run_id,
      session_id: null,
      audio_id,
      at,
    },
  };
  if (mode === 'suggest') return [charge];
  const command: AudioCommand = { type: 'ApplyInference', run_id, by, target_speaker_ids, results, at };
  return [charge, { to: 'audio', id: audio_id, command }];
};

export const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);
const isInferenceEvent = isEventOf(nameInferenceEvents);

/** The id in a stream's name: what follows the first hyphen. */
export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** What an event makes necessary elsewhere. `parentOf` tells the video that an audio belongs to. */
export const followUps = (
  { event, stream, revision }: RecordedEvent<DomainEvent>,
  parentOf: VideoId | null,
): ReadonlyArray<FollowUp> => {
  const id = streamId(stream);
  if (isInferenceEvent(event)) return ofInference(event);
  if (isRealtimeEvent(event)) return realtimeFollowUps(event);
  if (isVideoEvent(event) && VideoId.is(id)) return ofVideo(event, id, revision);
  if (isAudioEvent(event) && AudioId.is(id)) return ofAudio(event, id, revision, parentOf);
  return [];
};
