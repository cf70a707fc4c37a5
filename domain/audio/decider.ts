import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import { refusalOf } from '../kernel/erased.js';
import type { Timestamp } from '../kernel/timestamp.js';
import { type Subject, videoSubject } from '../kernel/recorded-event.js';
import type {
  AttachAudio,
  AudioCommand,
  AudioRefusal,
  ChangeAudioDetails,
  DeleteSpeaker,
  DetachAudio,
  RegisterAudio,
  ReplaceTranscript,
  AudioDecision,
  AnalysedSpeaker,
  RecordAudioAnalysis,
} from './contract.js';
import { applyInference, followFaceMatch, mergeSpeakers, renameSpeakers, setRoles } from './name-speakers.js';
import {
  type AudioState,
  type RegisteredAudio,
  type Speaker,
  evolve,
  comparedState,
  laterThanAllNames,
  recordedSpeaker,
} from './state.js';
import type { AudioEvent, RecordedSpeaker } from './events.js';
import { revertChange } from './revert-change.js';
import { isBlank, isRealName } from '../kernel/names.js';
import { type SpeakerId, firstDuplicate } from '../kernel/ids.js';
import { type Renumbering, continuedBy, renumberingBy } from '../kernel/renumbering.js';

/**
 * The name after an analysis. A real name that the analysis states stands over an earlier analysis's, not over a
 * person's. An earlier placeholder does not stay.
 */
const nameAfter = (given: string | null, known: Speaker): string | null => {
  if (known.named_by === 'person') return known.name;
  return !isRealName(given) && isRealName(known.name, known.named_by) ? known.name : given;
};

const analysedSpeaker = (
  { speaker_id, name, role, synthetic }: AnalysedSpeaker,
  known: Speaker | undefined,
): RecordedSpeaker => {
  const given = isBlank(name) ? null : name;
  const keepsRole = known !== undefined && (known.role_by === 'person' || role === undefined);
  return {
    speaker_id,
    name: known === undefined ? given : nameAfter(given, known),
    role: keepsRole ? known.role : (role ?? null),
    synthetic,
    deal_person_id: known?.deal_person_id ?? null,
  };
};

/** How the speakers of a completed analysis continue those of before; an incomplete one renumbers nobody. */
const renumberingIn = (
  { speakers }: RegisteredAudio,
  { status, speakers: analysed, alignment }: RecordAudioAnalysis,
): Renumbering<SpeakerId> => {
  if (status !== 'completed') return { renumbered: [], discontinued: [] };
  const stay = analysed.flatMap(({ speaker_id }) =>
    speakers.has(speaker_id) ? [{ from: speaker_id, to: speaker_id, seconds: 0 }] : [],
  );
  return renumberingBy(alignment?.continued ?? stay, speakers.keys());
};

/**
 * An analysis replaces the speakers of the previous one. What people and runs gave to a speaker goes to the one that
 * continues it, whatever its number. An incomplete analysis removes no speakers.
 */
const recordAnalysis = (state: RegisteredAudio, command: RecordAudioAnalysis): AudioDecision<'RecordAudioAnalysis'> => {
  const repeated = firstDuplicate(command.speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const declared = new Set(command.speakers.map(({ speaker_id }) => speaker_id));
  const undeclared = command.mentioned.find((speaker_id) => !declared.has(speaker_id));
  if (undeclared !== undefined) return refuse({ _tag: 'UndeclaredSpeaker', speaker_id: undeclared });
  if (state.analysis_id === command.analysis_id) return nothing;
  if (command.alignment !== null && command.alignment.comparedWith !== comparedState(state))
    return refuse({ _tag: 'ComparedWithOthers' });
  const renumbering = renumberingIn(state, command);
  const continued = continuedBy(renumbering, state.speakers);
  const kept =
    command.status === 'completed'
      ? []
      : [...state.speakers.values()].filter(({ speaker_id }) => !declared.has(speaker_id)).map(recordedSpeaker);
  const { status, analysis_id, turns, transcript, keeps_transcript, provider_supplied, speech_segments } = command;
  const analysed = command.speakers.map((speaker) => {
    const earlier = continued(speaker.speaker_id);
    return analysedSpeaker(speaker, earlier === undefined ? undefined : state.speakers.get(earlier));
  });
  return record<AudioEvent>({
    type: 'AudioAnalysisRecorded',
    data: {
      status,
      analysis_id,
      speakers: [...kept, ...analysed],
      turns,
      transcript,
      keeps: { turns: false, transcript: keeps_transcript },
      provider_supplied,
      speech_segments,
      ...renumbering,
    },
  });
};

/** The video that an event of an audio reveals data about. */
export const aboutVideo = (event: AudioEvent): ReadonlyArray<Subject> => {
  if (event.type === 'AudioAttached') return [videoSubject(event.data.video_id)];
  const video = event.type === 'AudioChangeReverted' ? event.data.video : null;
  return video === null ? [] : [videoSubject(video.video_id)];
};

const register = (state: AudioState, command: RegisterAudio): AudioDecision<'RegisterAudio'> =>
  state._tag !== 'Unregistered'
    ? refuse({ _tag: 'AudioExists', audio_id: command.audio_id })
    : record<AudioEvent>({ type: 'AudioRegistered', data: dataOf(command) });

const replaceTranscript = (
  { replaced_by }: RegisteredAudio,
  command: ReplaceTranscript,
): AudioDecision<'ReplaceTranscript'> =>
  replaced_by === command.transcript_id
    ? nothing
    : record<AudioEvent>({ type: 'TranscriptReplaced', data: dataOf(command) });

const attach = ({ video_id }: RegisteredAudio, command: AttachAudio): AudioDecision<'AttachAudio'> =>
  video_id === null
    ? record<AudioEvent>({ type: 'AudioAttached', data: dataOf(command) })
    : refuse({ _tag: 'AudioHasParent', video_id });

const detach = (state: RegisteredAudio, { video_id }: DetachAudio): AudioDecision<'DetachAudio'> => {
  const speakers = [...state.speakers.values()].map((speaker) => {
    const { named_by, role_by } = speaker;
    return { ...recordedSpeaker(speaker), named_by, role_by };
  });
  return state.video_id === video_id
    ? record<AudioEvent>({ type: 'AudioDetached', data: { video_id, title: state.title, speakers } })
    : nothing;
};

const changeDetails = (
  state: RegisteredAudio,
  { title, at }: ChangeAudioDetails,
): AudioDecision<'ChangeAudioDetails'> =>
  title === undefined || title === state.title
    ? nothing
    : record<AudioEvent>({ type: 'AudioDetailsChanged', data: { title: { before: state.title, after: title }, at } });

const remove = (state: RegisteredAudio, { speaker_id, at }: DeleteSpeaker): AudioDecision<'DeleteSpeaker'> => {
  const removed = state.speakers.get(speaker_id);
  return removed === undefined
    ? refuse({ _tag: 'InvalidSpeaker', speaker_id })
    : record<AudioEvent>({
        type: 'SpeakerDeleted',
        data: { removed: recordedSpeaker(removed), at: laterThanAllNames(at, state) },
      });
};

const erase = ({ owner_id, video_id }: RegisteredAudio, at: Timestamp): AudioDecision<'EraseAudio'> =>
  record<AudioEvent>({ type: 'MediumErased', data: { medium: 'audio', owner_id, linked: video_id, at } });

const decideRegistered = (command: Exclude<AudioCommand, RegisterAudio>, state: RegisteredAudio): AudioDecision => {
  switch (command.type) {
    case 'EraseAudio':
      return erase(state, command.at);
    case 'AttachAudio':
      return attach(state, command);
    case 'DetachAudio':
      return detach(state, command);
    case 'RecordAudioAnalysis':
      return recordAnalysis(state, command);
    case 'ReplaceTranscript':
      return replaceTranscript(state, command);
    case 'ApplyInference':
      return applyInference(state, command);
    case 'RenameSpeakers':
      return renameSpeakers(state, command);
    case 'FollowFaceMatch':
      return followFaceMatch(state, command);
    case 'SetSpeakerRoles':
      return setRoles(state, command);
    case 'MergeSpeakers':
      return mergeSpeakers(state, command);
    case 'DeleteSpeaker':
      return remove(state, command);
    case 'ChangeAudioDetails':
      return changeDetails(state, command);
    case 'RevertAudioChange':
      return revertChange(state, command);
  }
};

export const audio: Decider<AudioCommand, AudioState, AudioEvent, AudioRefusal> = {
  category: 'audio',
  initial: { _tag: 'Unregistered' },
  evolve,
  about: (_state, event) => aboutVideo(event),
  decide: (command, state) => {
    if (state._tag === 'Erased') return refuse(refusalOf(state));
    if (command.type === 'RegisterAudio') return register(state, command);
    return state._tag === 'Unregistered' ? refuse({ _tag: 'UnknownAudio' }) : decideRegistered(command, state);
  },
};
