import type { SpeakerId } from '../kernel/ids.js';
import type { AudioEvent } from './events.js';
import type { AudioState, RegisteredAudio, Speaker } from './state.js';

type Recorded<Type extends AudioEvent['type']> = Extract<AudioEvent, { type: Type }>['data'];

const registered = (data: Recorded<'AudioRegistered'>): RegisteredAudio => ({
  _tag: 'Registered',
  audio_id: data.audio_id,
  owner_id: data.owner_id,
  kind: data.kind,
  video_id: data.video_id,
  deal_persons: data.deal_persons,
  status: 'queue',
  analysis_id: null,
  speakers: new Map(),
  withdrawn: { turns: [], transcript: [] },
  turns: null,
  transcript: null,
  provider_supplied: false,
  replaced_by: null,
  speech_segments: null,
});

const analysed = (state: RegisteredAudio, data: Recorded<'AudioAnalysisRecorded'>): RegisteredAudio => ({
  ...state,
  status: data.status,
  analysis_id: data.analysis_id,
  speakers: new Map(
    data.speakers.map((speaker): [SpeakerId, Speaker] => {
      const known = state.speakers.get(speaker.speaker_id);
      return [
        speaker.speaker_id,
        {
          ...speaker,
          named_by_edit: known?.named_by_edit ?? false,
          role_by_edit: known?.role_by_edit ?? false,
          renamed_at: known?.renamed_at ?? null,
        },
      ];
    }),
  ),
  withdrawn: {
    turns: data.turns === null ? state.withdrawn.turns : [],
    transcript: data.transcript === null ? state.withdrawn.transcript : [],
  },
  turns: data.turns ?? state.turns,
  transcript: data.transcript ?? state.transcript,
  provider_supplied: data.provider_supplied,
  speech_segments: data.speech_segments,
});

const withSpeakers = (
  state: RegisteredAudio,
  changes: ReadonlyArray<Pick<Speaker, 'speaker_id'> & Partial<Speaker>>,
): RegisteredAudio => {
  const speakers = new Map(state.speakers);
  for (const change of changes) {
    const speaker = speakers.get(change.speaker_id);
    if (speaker !== undefined) speakers.set(change.speaker_id, { ...speaker, ...change });
  }
  return { ...state, speakers };
};

const withdrawn = (state: RegisteredAudio, speaker_id: SpeakerId, merged_into: SpeakerId | null): RegisteredAudio => {
  const speakers = new Map(state.speakers);
  speakers.delete(speaker_id);
  const { turns, transcript } = state.withdrawn;
  const gone = { speaker_id, merged_into };
  return { ...state, speakers, withdrawn: { turns: [...turns, gone], transcript: [...transcript, gone] } };
};

const evolveRegistered = (state: RegisteredAudio, event: AudioEvent): RegisteredAudio => {
  switch (event.type) {
    case 'AudioRegistered':
      return registered(event.data);
    case 'AudioAttached':
      return { ...state, video_id: event.data.video_id };
    case 'AudioDetached':
      return { ...state, video_id: null };
    case 'AudioAnalysisRecorded':
      return analysed(state, event.data);
    case 'TranscriptReplaced':
      return {
        ...state,
        transcript: event.data.transcript,
        withdrawn: { ...state.withdrawn, transcript: [] },
        replaced_by: event.data.transcript_id,
      };
    case 'SpeakersRenamed':
      return withSpeakers(
        state,
        event.data.speakers.map(({ speaker_id, name }) => ({
          speaker_id,
          name,
          named_by_edit: true,
          renamed_at: event.data.at,
        })),
      );
    case 'SpeakerRolesSet':
      return withSpeakers(
        state,
        event.data.speakers.map(({ speaker_id, role }) => ({ speaker_id, role, role_by_edit: true })),
      );
    case 'SpeakersMerged':
      return withdrawn(state, event.data.from, event.data.into);
    case 'SpeakerDeleted':
      return withdrawn(state, event.data.removed.speaker_id, null);
  }
};

export const evolve = (state: AudioState, event: AudioEvent): AudioState => {
  if (event.type === 'AudioRegistered') return registered(event.data);
  return state._tag === 'Unregistered' ? state : evolveRegistered(state, event);
};
