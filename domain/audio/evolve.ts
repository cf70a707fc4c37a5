import type { SpeakerId } from '../kernel/ids.js';
import type { AudioEvent } from './events.js';
import type { AudioState, RegisteredAudio, Speaker, WithdrawnSpeaker } from './state.js';

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
  inferences: new Set(),
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
  provider_supplied: state.provider_supplied || data.provider_supplied,
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

const inferred = (
  state: RegisteredAudio,
  { run_id, renamed, roles, at }: Recorded<'NamesInferred'>,
): RegisteredAudio => {
  const named = renamed.map(({ speaker_id, name, deal_person_id }) => ({
    speaker_id,
    name,
    deal_person_id,
    named_by_edit: true,
    renamed_at: at,
  }));
  const given = roles.map(({ speaker_id, role }) => ({ speaker_id, role, role_by_edit: true }));
  return { ...withSpeakers(withSpeakers(state, named), given), inferences: new Set(state.inferences).add(run_id) };
};

const withdrawn = (state: RegisteredAudio, gone: WithdrawnSpeaker): RegisteredAudio => {
  const speakers = new Map(state.speakers);
  speakers.delete(gone.speaker_id);
  const { turns, transcript } = state.withdrawn;
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
    case 'NamesInferred':
      return inferred(state, event.data);
    case 'SpeakerRolesSet':
      return withSpeakers(
        state,
        event.data.speakers.map(({ speaker_id, role }) => ({ speaker_id, role, role_by_edit: true })),
      );
    case 'SpeakersMerged':
      return withdrawn(state, { speaker_id: event.data.from, merged_into: event.data.into, at: event.data.at });
    case 'SpeakerDeleted':
      return withdrawn(state, { speaker_id: event.data.removed.speaker_id, merged_into: null, at: event.data.at });
  }
};

export const evolve = (state: AudioState, event: AudioEvent): AudioState => {
  if (event.type === 'AudioRegistered') return registered(event.data);
  return state._tag === 'Unregistered' ? state : evolveRegistered(state, event);
};
