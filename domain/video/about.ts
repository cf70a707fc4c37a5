import { type Subject, audioSubject } from '../kernel/subject.js';
import type { VideoEvent } from './events.js';
import type { RegisteredVideo, VideoState } from './state.js';

type Recorded<Type extends VideoEvent['type']> = Extract<VideoEvent, { type: Type }>['data'];

/** Whether a face may go by a name that its speaker gave it. */
const isLinked = ({ speaker_id }: { readonly speaker_id: number | null }): boolean => speaker_id !== null;

/** Whether an analysis leaves a face the name that it has from a speaker. */
const keepsSpeakersName = (
  { faces }: RegisteredVideo,
  { face_id, name }: Recorded<'VideoAnalysisRecorded'>['faces'][number],
): boolean => {
  const known = faces.get(face_id);
  return known !== undefined && known.name === name && known.own.at(-1)?.name !== name;
};

/** Whether a face's name before may be one that came from a speaker. */
const replacesSpeakersName = ({ faces }: RegisteredVideo, renamed: Recorded<'FacesRenamed'>): boolean =>
  renamed.faces.some(({ face_id, previous_name }) => faces.get(face_id)?.own.at(-1)?.name !== previous_name);

const tellsOfAudio = (state: RegisteredVideo, event: VideoEvent): boolean => {
  switch (event.type) {
    case 'FacesRenamed':
      return event.data.cause.kind === 'speaker_renamed' || replacesSpeakersName(state, event.data);
    case 'VideoAnalysisRecorded':
      return event.data.faces.some((face) => isLinked(face) || keepsSpeakersName(state, face));
    case 'VideoChangeReverted':
      return event.data.audio !== null || event.data.faces.length > 0 || event.data.ruled_out.length > 0;
    case 'FacesMatched':
    case 'LinksDecided':
    case 'FaceUnmatched':
    case 'SpeakerWithdrawn':
    case 'SuggestionsStored':
    case 'MatchesCommitted':
    case 'MatchRunFailed':
    case 'MatchRunReverted':
      return true;
    case 'VideoRegistered':
    case 'VideoDetailsChanged':
    case 'AudioAssociated':
    case 'AudioDissociated':
    case 'PersonalityTraitsRecorded':
    case 'MatchRunQueued':
    case 'AudioErased':
    case 'MediumErased':
    case 'TagsWritten':
    case 'TagRemoved':
      return false;
  }
};

/** The audio that an event of a video says something of: a name from a speaker, a match, what the audio is called. */
export const aboutAudio = (state: VideoState, event: VideoEvent): ReadonlyArray<Subject> => {
  if (event.type === 'AudioAssociated') return [audioSubject(event.data.audio_id)];
  if (state._tag !== 'Registered' || state.audio_id === null) return [];
  return tellsOfAudio(state, event) ? [audioSubject(state.audio_id)] : [];
};
