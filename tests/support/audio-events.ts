import type { AudioCommand, RegisterAudio } from '../../domain/audio/contract.js';
import { audio } from '../../domain/audio/decider.js';
import type { AudioData, AudioEvent, RecordedSpeaker } from '../../domain/audio/events.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import type { NamedBy } from '../../domain/kernel/names.js';
import { specification } from './specification.js';
import { accountId, at, audioId, speakerId, videoId } from './values.js';

const changing: ReadonlyArray<AudioCommand['type']> = [
  'RegisterAudio',
  'AttachAudio',
  'MergeSpeakers',
  'DeleteSpeaker',
  'RevertAudioChange',
  'EraseAudio',
];

/** A repeated merge or deletion is refused; repetitions of other commands change nothing. */
export const theAudio = specification(audio, (command: AudioCommand) =>
  changing.includes(command.type) ? null : command,
);

/** The command that results in `registeredAudio`. */
export const registerAudio: RegisterAudio = {
  type: 'RegisterAudio',
  audio_id: audioId('a'),
  owner_id: accountId('owner'),
  title: null,
  kind: 'upload',
  video_id: null,
  deal_persons: [],
};

export const registeredAudio = ({
  video,
  deal_persons = [],
}: { readonly video?: string; readonly deal_persons?: RegisterAudio['deal_persons'] } = {}): AudioEvent => {
  const { type: _type, ...data } = registerAudio;
  return {
    type: 'AudioRegistered',
    data: { ...data, deal_persons, video_id: video === undefined ? null : videoId(video) },
  };
};

export const speaker = (id: number, name: string | null, parts: Partial<RecordedSpeaker> = {}): RecordedSpeaker => ({
  speaker_id: speakerId(id),
  name,
  role: null,
  synthetic: false,
  deal_person_id: null,
  ...parts,
});

export const analysedAudio = (
  speakers: ReadonlyArray<RecordedSpeaker>,
  status: ProcessingStatus = 'completed',
  parts: Partial<AudioData<'AudioAnalysisRecorded'>> = {},
): AudioEvent => ({
  type: 'AudioAnalysisRecorded',
  data: {
    status,
    analysis_id: 'first',
    speakers,
    turns: null,
    transcript: null,
    keeps: { turns: false, transcript: true },
    provider_supplied: false,
    speech_segments: null,
    renumbered: [],
    discontinued: [],
    ...parts,
  },
});

/** A person's names for speakers: id, name, previous name, and who gave that. */
export const renamedSpeakers = (
  seconds: number,
  speakers: ReadonlyArray<readonly [id: number, name: string, previous: string | null, named_by?: NamedBy]>,
  cause: AudioData<'SpeakersRenamed'>['cause'] = { kind: 'request' },
): AudioEvent => ({
  type: 'SpeakersRenamed',
  data: {
    speakers: speakers.map(([id, name, previous_name, before = 'analysis']) => ({
      speaker_id: speakerId(id),
      name,
      previous_name,
      named_by: { before, after: 'person' as const },
    })),
    cause,
    at: at(seconds),
  },
});

/** A completed audio with these speakers. */
export const completedAudio = (...speakers: ReadonlyArray<RecordedSpeaker>): ReadonlyArray<AudioEvent> => [
  registeredAudio(),
  analysedAudio(speakers),
];
