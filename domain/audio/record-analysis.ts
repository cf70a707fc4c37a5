import { nothing, record, refuse } from '../kernel/decider.js';
import { isBlank } from '../kernel/names.js';
import type { AnalysedSpeaker, RecordAudioAnalysis } from './contract.js';
import type { AudioDecision } from './refusals.js';
import type { AudioEvent, RecordedSpeaker } from './events.js';
import { firstRepeated } from '../kernel/first-repeated.js';
import { type RegisteredAudio, type Speaker, recordedSpeaker } from './state.js';

const analysedSpeaker = (
  { speaker_id, name, role, synthetic }: AnalysedSpeaker,
  known: Speaker | undefined,
): RecordedSpeaker => {
  const given = isBlank(name) ? null : name;
  const keepsRole = known !== undefined && (known.role_by === 'person' || role === undefined);
  return {
    speaker_id,
    name: known !== undefined && (known.named_by === 'person' || given === null) ? known.name : given,
    role: keepsRole ? known.role : (role ?? null),
    synthetic,
    deal_person_id: known?.deal_person_id ?? null,
  };
};

/**
 * An analysis replaces the speakers of the one before it. A speaker that persists keeps a name and a role that
 * somebody gave it. One that is not complete yet removes no speaker.
 */
export const recordAnalysis = (
  state: RegisteredAudio,
  command: RecordAudioAnalysis,
): AudioDecision<'RecordAudioAnalysis'> => {
  const repeated = firstRepeated(command.speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const declared = new Set(command.speakers.map(({ speaker_id }) => speaker_id));
  const undeclared = command.mentioned.find((speaker_id) => !declared.has(speaker_id));
  if (undeclared !== undefined) return refuse({ _tag: 'UndeclaredSpeaker', speaker_id: undeclared });
  if (state.analysis_id === command.analysis_id) return nothing;
  const kept =
    command.status === 'completed'
      ? []
      : [...state.speakers.values()].filter(({ speaker_id }) => !declared.has(speaker_id)).map(recordedSpeaker);
  const { status, analysis_id, turns, transcript, provider_supplied, speech_segments } = command;
  const analysed = command.speakers.map((speaker) => analysedSpeaker(speaker, state.speakers.get(speaker.speaker_id)));
  return record<AudioEvent>({
    type: 'AudioAnalysisRecorded',
    data: {
      status,
      analysis_id,
      speakers: [...kept, ...analysed],
      turns,
      transcript,
      provider_supplied,
      speech_segments,
    },
  });
};
