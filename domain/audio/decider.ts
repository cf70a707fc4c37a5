import { type Decider, dataOf, nothing, record, refuse } from '../kernel/decider.js';
import { refusalOf } from '../kernel/erased.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
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
  FollowFaceMatch,
  MergeSpeakers,
  RenameSpeakers,
  SetSpeakerRoles,
  ApplyInference,
} from './contract.js';
import {
  type AudioState,
  type RegisteredAudio,
  type Speaker,
  evolve,
  comparedState,
  laterThanAllNames,
} from './state.js';
import { type AudioEvent, type DealPerson, type RecordedSpeaker, recordedSpeaker } from './events.js';
import { revertChange } from './revert-change.js';
import { type GivenName, isBlank, isRealName, renaming } from '../kernel/names.js';
import { firstDuplicate } from '../kernel/ids.js';
import { continuing, followIds, renumberedAfter, renumberingIn } from '../kernel/renumbering.js';

const renamedSpeaker = (speaker: Speaker, given: GivenName) => ({
  speaker_id: speaker.speaker_id,
  ...renaming(speaker, given),
});

const isRenamedAfter = ({ renamed_at }: Speaker, at: Timestamp): boolean => renamed_at !== null && renamed_at > at;

const isPersons = (speaker: Speaker, name: string): boolean => speaker.name === name && speaker.named_by === 'person';

/**
 * Renames speakers; unknown ones are skipped (specification, section 4.5). A name that the speaker already has is
 * marked as given by a person.
 */
const renameSpeakers = (state: RegisteredAudio, { speakers, at }: RenameSpeakers): AudioDecision<'RenameSpeakers'> => {
  const repeated = firstDuplicate(speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const renamed = speakers.flatMap(({ speaker_id, name }) => {
    const speaker = state.speakers.get(speaker_id);
    return speaker === undefined || isPersons(speaker, name)
      ? []
      : [renamedSpeaker(speaker, { name, named_by: 'person' })];
  });
  return renamed.length === 0
    ? nothing
    : record<AudioEvent>({
        type: 'SpeakersRenamed',
        data: { speakers: renamed, cause: { kind: 'request' }, at: laterThanAllNames(at, state) },
      });
};

/**
 * Takes over names that a person gave by matching faces. A speaker renamed after the match keeps its name. If it was
 * renamed at the same time, the new name is dated later, so that no date has two names.
 */
const followFaceMatch = (
  state: RegisteredAudio,
  { video_id, video_revision, renumbered_at, speakers, at }: FollowFaceMatch,
): AudioDecision<'FollowFaceMatch'> => {
  const presentId = followIds(renumberedAfter(state.renumberings, Math.max(renumbered_at, state.linked_at)));
  const followed = speakers.flatMap(({ speaker_id, name }) => {
    const present = presentId(speaker_id);
    const speaker = present === null ? undefined : state.speakers.get(present);
    return speaker === undefined || isPersons(speaker, name) || isRenamedAfter(speaker, at)
      ? []
      : [{ speaker, renamed: renamedSpeaker(speaker, { name, named_by: 'person' }) }];
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

/** Sets roles; unknown speakers are skipped. */
const setRoles = (state: RegisteredAudio, { speakers }: SetSpeakerRoles): AudioDecision<'SetSpeakerRoles'> => {
  const repeated = firstDuplicate(speakers.map(({ speaker_id }) => speaker_id));
  if (repeated !== undefined) return refuse({ _tag: 'DuplicateSpeaker', speaker_id: repeated });
  const set = speakers.flatMap(({ speaker_id, role }) => {
    const speaker = state.speakers.get(speaker_id);
    if (speaker === undefined || speaker.role === role) return [];
    return [
      {
        speaker_id,
        role,
        previous_role: speaker.role,
        role_by: { before: speaker.role_by, after: 'person' as const },
      },
    ];
  });
  return set.length === 0 ? nothing : record<AudioEvent>({ type: 'SpeakerRolesSet', data: { speakers: set } });
};

/** The new name of `into` if only `from` has a real name; null otherwise. */
const namedAfterMerge = (from: Speaker, into: Speaker) =>
  from.name !== null && isRealName(from.name, from.named_by) && !isRealName(into.name, into.named_by)
    ? renamedSpeaker(into, { name: from.name, named_by: from.named_by })
    : null;

const mergeSpeakers = (
  state: RegisteredAudio,
  { from: from_id, into: into_id, at }: MergeSpeakers,
): AudioDecision<'MergeSpeakers'> => {
  const from = state.speakers.get(from_id);
  if (from === undefined) return refuse({ _tag: 'InvalidSpeaker', speaker_id: from_id });
  const into = state.speakers.get(into_id);
  if (into === undefined) return refuse({ _tag: 'InvalidSpeaker', speaker_id: into_id });
  const renamed = namedAfterMerge(from, into);
  const { name, named_by } = renamed === null ? into : { name: renamed.name, named_by: renamed.named_by.after };
  return from_id === into_id
    ? refuse({ _tag: 'MergeIntoItself', speaker_id: from_id })
    : record<AudioEvent>({
        type: 'SpeakersMerged',
        data: {
          from: from_id,
          into: into_id,
          removed: recordedSpeaker(from),
          renamed,
          called: name === null ? null : { name, named_by },
          at: laterThanAllNames(at, state),
        },
      });
};

/** The id of the only deal person with this name; null if there is none or several. */
const dealPersonNamed = (persons: ReadonlyArray<DealPerson>, name: string): string | null => {
  const [only, ...others] = persons.filter((person) => person.name === name);
  return only === undefined || others.length > 0 ? null : only.person_id;
};

/** The first row of each speaker. */
const firstOfEach = <Row extends { readonly speaker_id: number }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const seen = new Set<number>();
  return rows.filter(({ speaker_id }) => seen.size !== seen.add(speaker_id).size);
};

/**
 * Writes the accepted names and roles of a name inference in commit mode, and records the run, once. Names follow the
 * voices if the speakers were renumbered meanwhile. Speakers that no longer exist are skipped, and existing roles are
 * kept.
 */
const applyInference = (state: RegisteredAudio, command: ApplyInference): AudioDecision<'ApplyInference'> => {
  const { run_id, by, renumbered_at, at } = command;
  if (state.inferences.has(run_id)) return nothing;
  const presentId = followIds(renumberedAfter(state.renumberings, renumbered_at));
  const target_speaker_ids = command.target_speaker_ids.flatMap((speaker_id) => presentId(speaker_id) ?? []);
  const results = command.results.flatMap((row) => {
    const speaker_id = presentId(row.speaker_id);
    return speaker_id === null ? [] : [{ ...row, speaker_id }];
  });
  const renamed = firstOfEach(
    results.flatMap(({ speaker_id, name }) => (name === undefined ? [] : [{ speaker_id, name }])),
  ).flatMap(({ speaker_id, name }) => {
    const speaker = state.speakers.get(speaker_id);
    if (speaker === undefined || isRenamedAfter(speaker, at)) return [];
    const deal_person_id = dealPersonNamed(state.deal_persons, name);
    const previous_deal_person_id = speaker.deal_person_id;
    return [{ ...renamedSpeaker(speaker, { name, named_by: 'person' }), deal_person_id, previous_deal_person_id }];
  });
  const roles = firstOfEach(
    results.flatMap(({ speaker_id, role }) => (role === undefined ? [] : [{ speaker_id, role }])),
  ).flatMap(({ speaker_id, role }) => {
    const speaker = state.speakers.get(speaker_id);
    return speaker?.role === null
      ? [{ speaker_id, role, role_by: { before: speaker.role_by, after: 'person' as const } }]
      : [];
  });
  return record<AudioEvent>({
    type: 'NamesInferred',
    data: {
      run_id,
      by,
      at: renamed.length === 0 ? at : laterThanAllNames(at, state),
      target_speaker_ids,
      results,
      renamed,
      roles,
    },
  });
};

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
  const renumbering = renumberingIn(command, [...declared], state.speakers);
  const continued = continuing(renumbering, state.speakers);
  const kept =
    command.status === 'completed'
      ? []
      : [...state.speakers.values()].filter(({ speaker_id }) => !declared.has(speaker_id)).map(recordedSpeaker);
  const { status, analysis_id, turns, transcript, keeps_transcript, provider_supplied, speech_segments } = command;
  const analysed = command.speakers.map((speaker) => analysedSpeaker(speaker, continued(speaker.speaker_id)));
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
const aboutVideo = (event: AudioEvent): ReadonlyArray<Subject> => {
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
