import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type {
  AttachAudio,
  AudioCommand,
  AudioDecision,
  AudioRefusal,
  DeleteSpeaker,
  FollowFaceMatch,
  MergeSpeakers,
  RegisterAudio,
  RenameSpeakers,
  ReplaceTranscript,
  SetSpeakerRoles,
} from './contract.js';
import { applyInference } from './apply-inference.js';
import { recordAnalysis } from './record-analysis.js';
import { evolve } from './evolve.js';
import type { AudioEvent } from './events.js';
import { firstRepeated } from '../kernel/first-repeated.js';
import { laterThan } from '../kernel/timestamp.js';
import { type AudioState, type RegisteredAudio, datedLast, recordedSpeaker } from './state.js';

const register = (state: AudioState, command: RegisterAudio): AudioDecision => {
  const { audio_id, owner_id, title, kind, video_id, deal_persons } = command;
  return state._tag === 'Registered'
    ? refuse({ _tag: 'AudioExists', audio_id })
    : record<AudioEvent>({
        type: 'AudioRegistered',
        data: { audio_id, owner_id, title, kind, video_id, deal_persons },
      });
};

const replaceTranscript = (state: RegisteredAudio, { transcript_id, transcript }: ReplaceTranscript): AudioDecision =>
  state.replaced_by === transcript_id
    ? nothing
    : record<AudioEvent>({ type: 'TranscriptReplaced', data: { transcript_id, transcript } });

const attach = (state: RegisteredAudio, { video_id, owner_id, title, kind }: AttachAudio): AudioDecision =>
  state.video_id === null
    ? record<AudioEvent>({ type: 'AudioAttached', data: { video_id, owner_id, title, kind } })
    : refuse({ _tag: 'AudioHasParent', video_id: state.video_id });

/** Unknown speakers are skipped (specification, section 4.5). */
const rename = (state: RegisteredAudio, { speakers, at }: RenameSpeakers): AudioDecision => {
  const repeated = firstRepeated(speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const renamed = speakers.flatMap(({ speaker_id, name }) => {
    const speaker = state.speakers.get(speaker_id);
    return speaker === undefined || speaker.name === name ? [] : [{ speaker_id, name, previous_name: speaker.name }];
  });
  return renamed.length === 0
    ? nothing
    : record<AudioEvent>({
        type: 'SpeakersRenamed',
        data: { speakers: renamed, cause: { kind: 'request' }, at: datedLast(at, state) },
      });
};

/**
 * The later change stands: a speaker that was renamed after the faces were matched is left alone. One that was renamed at
 * the same date is called otherwise from then on: that is dated later, so that no date has two names.
 */
const followFaceMatch = (
  state: RegisteredAudio,
  { video_id, video_revision, speakers, at }: FollowFaceMatch,
): AudioDecision => {
  const followed = speakers.flatMap(({ speaker_id, name }) => {
    const speaker = state.speakers.get(speaker_id);
    return speaker === undefined || speaker.name === name || (speaker.renamed_at !== null && speaker.renamed_at > at)
      ? []
      : [{ speaker, renamed: { speaker_id, name, previous_name: speaker.name } }];
  });
  const cause = { kind: 'face_match' as const, video_id, video_revision };
  const dated = laterThan(
    at,
    followed.map(({ speaker }) => speaker.renamed_at),
  );
  return followed.length === 0
    ? nothing
    : record<AudioEvent>({
        type: 'SpeakersRenamed',
        data: { speakers: followed.map(({ renamed }) => renamed), cause, at: dated },
      });
};

/** Unknown speakers are skipped, as they are with names. */
const setRoles = (state: RegisteredAudio, { speakers }: SetSpeakerRoles): AudioDecision => {
  const repeated = firstRepeated(speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const set = speakers.flatMap(({ speaker_id, role }) => {
    const speaker = state.speakers.get(speaker_id);
    return speaker === undefined || speaker.role === role ? [] : [{ speaker_id, role, previous_role: speaker.role }];
  });
  return set.length === 0 ? nothing : record<AudioEvent>({ type: 'SpeakerRolesSet', data: { speakers: set } });
};

const merge = (state: RegisteredAudio, { from, into, at }: MergeSpeakers): AudioDecision => {
  const removed = state.speakers.get(from);
  if (removed === undefined) return refuse({ _tag: 'InvalidSpeaker', speaker_id: from });
  if (!state.speakers.has(into)) return refuse({ _tag: 'InvalidSpeaker', speaker_id: into });
  return from === into
    ? refuse({ _tag: 'MergeIntoItself', speaker_id: from })
    : record<AudioEvent>({
        type: 'SpeakersMerged',
        data: { from, into, removed: recordedSpeaker(removed), at: datedLast(at, state) },
      });
};

const remove = (state: RegisteredAudio, { speaker_id, at }: DeleteSpeaker): AudioDecision => {
  const removed = state.speakers.get(speaker_id);
  return removed === undefined
    ? refuse({ _tag: 'InvalidSpeaker', speaker_id })
    : record<AudioEvent>({
        type: 'SpeakerDeleted',
        data: { removed: recordedSpeaker(removed), at: datedLast(at, state) },
      });
};

const decideRegistered = (command: Exclude<AudioCommand, RegisterAudio>, state: RegisteredAudio): AudioDecision => {
  switch (command.type) {
    case 'AttachAudio':
      return attach(state, command);
    case 'DetachAudio':
      return state.video_id === command.video_id
        ? record<AudioEvent>({ type: 'AudioDetached', data: { video_id: command.video_id } })
        : nothing;
    case 'RecordAudioAnalysis':
      return recordAnalysis(state, command);
    case 'ReplaceTranscript':
      return replaceTranscript(state, command);
    case 'ApplyInference':
      return applyInference(state, command);
    case 'RenameSpeakers':
      return rename(state, command);
    case 'FollowFaceMatch':
      return followFaceMatch(state, command);
    case 'SetSpeakerRoles':
      return setRoles(state, command);
    case 'MergeSpeakers':
      return merge(state, command);
    case 'DeleteSpeaker':
      return remove(state, command);
  }
};

export const audio: Decider<AudioCommand, AudioState, AudioEvent, AudioRefusal> = {
  category: 'audio',
  initial: { _tag: 'Unregistered' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'RegisterAudio') return register(state, command);
    return state._tag === 'Unregistered' ? refuse({ _tag: 'UnknownAudio' }) : decideRegistered(command, state);
  },
};
