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
import { matchRunFollowUps } from './match-run-follow-ups.js';

/** A command to another stream that an event makes necessary. */
export type FollowUp =
  | { readonly to: 'video'; readonly id: VideoId; readonly command: VideoCommand }
  | { readonly to: 'audio'; readonly id: AudioId; readonly command: AudioCommand }
  | { readonly to: 'creditAccount'; readonly id: AccountId; readonly command: CreditAccountCommand }
  | { readonly to: 'matchRun'; readonly id: RunId; readonly command: MatchRunCommand }
  | RealtimeFollowUp;

const ofVideo = (event: VideoEvent, video_id: VideoId, revision: number): ReadonlyArray<FollowUp> => {
  if (event.type === 'AudioAssociated') {
    const command: AudioCommand = { type: 'RegisterAudio', video_id, ...event.data };
    return [{ to: 'audio', id: event.data.audio_id, command }];
  }
  if (event.type === 'FacesMatched') {
    const { audio_id, at } = event.data;
    const speakers = event.data.speakers.filter(({ name, previous_name }) => name !== previous_name);
    const command: AudioCommand = { type: 'FollowFaceMatch', video_id, video_revision: revision, speakers, at };
    return speakers.length === 0 ? [] : [{ to: 'audio', id: audio_id, command }];
  }
  return matchRunFollowUps(event, video_id, revision).map(({ run_id, event: told }) => ({
    to: 'matchRun',
    id: run_id,
    command: { type: 'FollowVideo', event: told },
  }));
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
  const toVideo = (command: VideoCommand): ReadonlyArray<FollowUp> => [{ to: 'video', id: video_id, command }];
  if (event.type === 'SpeakersRenamed' && event.data.cause.kind === 'request') {
    const { speakers, at } = event.data;
    return toVideo({ type: 'FollowSpeakerNames', audio_id, audio_revision: revision, speakers, current: false, at });
  }
  if (event.type === 'NamesInferred') {
    const { renamed, at } = event.data;
    return renamed.length === 0
      ? []
      : toVideo({
          type: 'FollowSpeakerNames',
          audio_id,
          audio_revision: revision,
          speakers: renamed,
          current: false,
          at,
        });
  }
  if (event.type === 'SpeakersMerged') {
    const { from, into, at } = event.data;
    return toVideo({ type: 'WithdrawSpeaker', speaker_id: from, merged_into: into, at });
  }
  if (event.type === 'SpeakerDeleted') {
    const { removed, at } = event.data;
    return toVideo({ type: 'WithdrawSpeaker', speaker_id: removed.speaker_id, merged_into: null, at });
  }
  return [];
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
