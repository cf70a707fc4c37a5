import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import { refusalOf } from '../kernel/erased.js';
import type { FaceId } from '../kernel/ids.js';
import { continuing } from '../kernel/renumbering.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type {
  AssociateAudio,
  ChangeVideoDetails,
  RecordPersonalityTraits,
  RegisterVideo,
  VideoCommand,
  VideoRefusal,
  VideoDecision,
} from './contract.js';
import { decideLinks } from './decisions/decide-links.js';
import { matchFaces } from './link-faces.js';
import { followSpeakerNames, renameFaces, unmatchFace, withdrawSpeaker } from './decisions/name-faces.js';
import { queueMatchRun } from './decisions/queue-match-run.js';
import { receiveWriteBack } from './decisions/receive-write-back.js';
import { followRenumbering, recordAnalysis } from './decisions/record-analysis.js';
import { revertChange, revertRun } from './decisions/revert-change.js';
import { removeTag, writeTags } from './decisions/write-tags.js';
import { evolve } from './evolve.js';
import { forgetAudio } from './forget-audio.js';
import type { FaceEdit } from './changes.js';
import type { VideoEvent, VideoData } from './events.js';
import { type Face, type RegisteredVideo, type VideoState, lastFollowed } from './state.js';
import { type Subject, audioSubject } from '../kernel/recorded-event.js';

const isLinked = ({ speaker_id = null }: { readonly speaker_id?: number | null }): boolean => speaker_id !== null;

/** Whether the name that a face has came from a speaker. */
const isSpeakersName = ({ faces }: RegisteredVideo, face_id: FaceId, name: string | null): boolean =>
  name !== null && faces.get(face_id)?.own.at(-1)?.name !== name;

/** Whether the face keeps a name from a speaker after the analysis. */
const keepsSpeakersName = (
  state: RegisteredVideo,
  { name }: VideoData<'VideoAnalysisRecorded'>['faces'][number],
  earlier: Face | undefined,
): boolean => name !== undefined && earlier?.name === name && isSpeakersName(state, earlier.face_id, name);

/** Whether a change of a face shows a speaker or a name from one, before or after it. */
const showsSpeaker = (state: RegisteredVideo, { face_id, before, after }: FaceEdit): boolean => {
  const { name: restored = null } = after;
  return (
    isLinked(before) ||
    isLinked(after) ||
    isSpeakersName(state, face_id, before.name ?? null) ||
    (restored !== null && state.faces.get(face_id)?.own.some(({ name }) => name === restored) !== true)
  );
};

const concernsAudio = (state: RegisteredVideo, event: VideoEvent): boolean => {
  switch (event.type) {
    case 'FacesRenamed':
      return (
        event.data.cause.kind === 'speaker_renamed' ||
        event.data.faces.some(({ face_id, previous_name }) => isSpeakersName(state, face_id, previous_name))
      );
    case 'VideoAnalysisRecorded': {
      const continued = continuing(event.data, state.faces);
      return event.data.faces.some((face) => isLinked(face) || keepsSpeakersName(state, face, continued(face.face_id)));
    }
    case 'VideoChangeReverted':
      return (
        event.data.audio !== null ||
        event.data.ruled_out.length > 0 ||
        event.data.faces.some((change) => showsSpeaker(state, change))
      );
    case 'FacesMatched':
    case 'LinksDecided':
    case 'FaceUnmatched':
    case 'SpeakerWithdrawn':
    case 'SpeakersRenumbered':
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

/** The audio that an event of a video reveals data about: a name of a speaker, a match, or the audio's title. */
const aboutAudio = (state: VideoState, event: VideoEvent): ReadonlyArray<Subject> => {
  if (event.type === 'AudioAssociated') return [audioSubject(event.data.audio_id)];
  if (state._tag !== 'Registered' || state.audio_id === null) return [];
  return concernsAudio(state, event) ? [audioSubject(state.audio_id)] : [];
};

const register = (state: VideoState, command: RegisterVideo): VideoDecision<'RegisterVideo'> =>
  state._tag !== 'Unregistered'
    ? refuse({ _tag: 'VideoExists', video_id: command.video_id })
    : record<VideoEvent>({ type: 'VideoRegistered', data: dataOf(command) });

const associate = ({ audio_id }: RegisteredVideo, command: AssociateAudio): VideoDecision<'AssociateAudio'> =>
  audio_id === null
    ? record<VideoEvent>({ type: 'AudioAssociated', data: dataOf(command) })
    : refuse({ _tag: 'AudioAlreadyAssociated', audio_id });

const recordTraits = (
  state: RegisteredVideo,
  command: RecordPersonalityTraits,
): VideoDecision<'RecordPersonalityTraits'> => {
  const { face_id, personality_traits } = command;
  const face = state.faces.get(face_id);
  if (face === undefined) return refuse({ _tag: 'InvalidFace', face_id });
  return JSON.stringify(face.personality_traits) === JSON.stringify(personality_traits)
    ? nothing
    : record<VideoEvent>({ type: 'PersonalityTraitsRecorded', data: dataOf(command) });
};

const edited = (now: string | null, wanted: string | null | undefined) =>
  wanted === undefined || wanted === now ? null : { before: now, after: wanted };

const changeDetails = (state: RegisteredVideo, command: ChangeVideoDetails): VideoDecision<'ChangeVideoDetails'> => {
  const title = edited(state.title, command.title);
  const media_url = edited(state.media_url, command.media_url);
  return title === null && media_url === null
    ? nothing
    : record<VideoEvent>({ type: 'VideoDetailsChanged', data: { title, media_url, at: command.at } });
};

const erase = ({ owner_id, audio_id }: RegisteredVideo, at: Timestamp): VideoDecision<'EraseVideo'> =>
  record<VideoEvent>({ type: 'MediumErased', data: { medium: 'video', owner_id, linked: audio_id, at } });

/** Ignores facts about an audio that no longer belongs to the video. */
const withoutOldAudio = <Command extends VideoCommand>(command: Command, { audio_id }: RegisteredVideo): Command =>
  audio_id === null && 'audio' in command ? { ...command, audio: null } : command;

/** Whether the facts about the audio are of another numbering of the speakers than the video's state. */
const isOfOtherNumbering = (command: VideoCommand, state: RegisteredVideo): boolean =>
  'audio' in command && command.audio !== null && command.audio.renumbered_at !== lastFollowed(state);

const decideRegistered = (given: Exclude<VideoCommand, RegisterVideo>, state: RegisteredVideo): VideoDecision => {
  const command = withoutOldAudio(given, state);
  if (isOfOtherNumbering(command, state)) return refuse({ _tag: 'SpeakersNotFollowed' });
  switch (command.type) {
    case 'EraseVideo':
      return erase(state, command.at);
    case 'ForgetAudio':
      return forgetAudio(state, command);
    case 'AssociateAudio':
      return associate(state, command);
    case 'DissociateAudio':
      return state.audio_id === command.audio_id
        ? record<VideoEvent>({ type: 'AudioDissociated', data: dataOf(command) })
        : nothing;
    case 'RecordVideoAnalysis':
      return recordAnalysis(state, command);
    case 'FollowRenumbering':
      return followRenumbering(state, command);
    case 'RecordPersonalityTraits':
      return recordTraits(state, command);
    case 'RenameFaces':
      return renameFaces(state, command);
    case 'FollowSpeakerNames':
      return followSpeakerNames(state, command);
    case 'WithdrawSpeaker':
      return withdrawSpeaker(state, command);
    case 'MatchFaces':
      return matchFaces(state, command);
    case 'DecideLinks':
      return decideLinks(state, command);
    case 'QueueMatchRun':
      return queueMatchRun(state, command);
    case 'ReceiveWriteBack':
      return receiveWriteBack(state, command);
    case 'RevertMatchRun':
      return revertRun(state, command);
    case 'RevertVideoChange':
      return revertChange(state, command);
    case 'UnmatchFace':
      return unmatchFace(state, command);
    case 'ChangeVideoDetails':
      return changeDetails(state, command);
    case 'WriteTags':
      return writeTags(state, command);
    case 'RemoveTag':
      return removeTag(state, command);
  }
};

const decide = (command: VideoCommand, state: VideoState): VideoDecision => {
  if (state._tag === 'Erased') return refuse(refusalOf(state));
  if (command.type === 'RegisterVideo') return register(state, command);
  return state._tag === 'Unregistered' ? refuse({ _tag: 'UnknownVideo' }) : decideRegistered(command, state);
};

export const video: Decider<VideoCommand, VideoState, VideoEvent, VideoRefusal> = {
  category: 'video',
  initial: { _tag: 'Unregistered' },
  evolve,
  about: aboutAudio,
  decide,
};
