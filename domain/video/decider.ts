import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { InParts } from '../kernel/in-parts.js';
import { refusalOf } from '../kernel/erased.js';
import type { JsonObject } from '../kernel/json.js';
import type { Timestamp } from '../kernel/timestamp.js';
import { jsonLength } from '../kernel/json-length.js';
import { weightOf } from '../kernel/weight.js';
import type {
  AssociateAudio,
  ChangeVideoDetails,
  RecordPersonalityTraits,
  RegisterVideo,
  VideoCommand,
  VideoRefusal,
} from './contract.js';
import type { VideoDecision } from './refusals.js';
import { aboutAudio } from './about.js';
import { decideLinks, decideLinksInParts } from './decisions/decide-links.js';
import { matchFaces } from './decisions/match-faces.js';
import { followSpeakerNames, renameFaces, unmatchFace, withdrawSpeaker } from './decisions/name-faces.js';
import { queueMatchRun, queueMatchRunInParts } from './decisions/queue-match-run.js';
import { receiveWriteBack, receiveWriteBackInParts } from './decisions/receive-write-back.js';
import { recordAnalysis } from './decisions/record-analysis.js';
import { revertChange, revertRun } from './decisions/revert-change.js';
import { removeTag, writeTags } from './decisions/write-tags.js';
import { evolve } from './evolve.js';
import { forgetAudio } from './forget-audio.js';
import type { VideoEvent } from './events.js';
import type { RegisteredVideo, VideoState } from './state.js';

const register = (
  state: VideoState,
  { video_id, owner_id, title, kind, media_url, audio_id }: RegisterVideo,
): VideoDecision<'RegisterVideo'> =>
  state._tag !== 'Unregistered'
    ? refuse({ _tag: 'VideoExists', video_id })
    : record<VideoEvent>({ type: 'VideoRegistered', data: { video_id, owner_id, title, kind, media_url, audio_id } });

const associate = (
  state: RegisteredVideo,
  { audio_id, owner_id, title, kind, deal_persons }: AssociateAudio,
): VideoDecision<'AssociateAudio'> =>
  state.audio_id === null
    ? record<VideoEvent>({ type: 'AudioAssociated', data: { audio_id, owner_id, title, kind, deal_persons } })
    : refuse({ _tag: 'AudioAlreadyAssociated', audio_id: state.audio_id });

/** Most often their lengths tell. */
const sameTraits = (one: JsonObject | null, other: JsonObject): boolean =>
  jsonLength(one) === jsonLength(other) && JSON.stringify(one) === JSON.stringify(other);

const recordTraits = (
  state: RegisteredVideo,
  { face_id, personality_traits }: RecordPersonalityTraits,
): VideoDecision<'RecordPersonalityTraits'> => {
  const face = state.faces.get(face_id);
  if (face === undefined) return refuse({ _tag: 'InvalidFace', face_id });
  return sameTraits(face.personality_traits, personality_traits)
    ? nothing
    : record<VideoEvent>({ type: 'PersonalityTraitsRecorded', data: { face_id, personality_traits } });
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

/** What is known of an audio that the video has no more counts no more. */
const withoutOldAudio = <Command extends VideoCommand>(command: Command, { audio_id }: RegisteredVideo): Command =>
  audio_id === null && 'audio' in command ? { ...command, audio: null } : command;

const decideRegistered = (given: Exclude<VideoCommand, RegisterVideo>, state: RegisteredVideo): VideoDecision => {
  const command = withoutOldAudio(given, state);
  switch (command.type) {
    case 'EraseVideo':
      return erase(state, command.at);
    case 'ForgetAudio':
      return forgetAudio(state, command);
    case 'AssociateAudio':
      return associate(state, command);
    case 'DissociateAudio':
      return state.audio_id === command.audio_id
        ? record<VideoEvent>({ type: 'AudioDissociated', data: { audio_id: command.audio_id } })
        : nothing;
    case 'RecordVideoAnalysis':
      return recordAnalysis(state, command);
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

/** Decides in parts what may be about thousands of faces and of long names. */
function* decideInParts(command: VideoCommand, state: VideoState): InParts<VideoDecision> {
  if (state._tag === 'Registered' && command.type === 'DecideLinks')
    return yield* decideLinksInParts(state, withoutOldAudio(command, state));
  if (state._tag === 'Registered' && command.type === 'QueueMatchRun')
    return yield* queueMatchRunInParts(state, withoutOldAudio(command, state));
  if (state._tag === 'Registered' && command.type === 'ReceiveWriteBack')
    return yield* receiveWriteBackInParts(state, withoutOldAudio(command, state));
  return decide(command, state);
}

export const video: Decider<VideoCommand, VideoState, VideoEvent, VideoRefusal> = {
  category: 'video',
  initial: { _tag: 'Unregistered' },
  weight: (state) => (state._tag === 'Registered' ? weightOf(state.tags, state.faces, state.open_runs) : 1),
  evolve,
  about: aboutAudio,
  decide,
  decideInParts,
};
