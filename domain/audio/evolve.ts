import { erasedBy } from '../kernel/erased.js';
import type { SpeakerId } from '../kernel/ids.js';
import { continuedBy, isRenumbering } from '../kernel/renumbering.js';
import { withSharedRevert } from '../kernel/edit.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { SpeakerEdit } from './changes.js';
import type { AudioEvent, RecordedSpeaker } from './events.js';
import type { AudioState, RegisteredAudio, Speaker, SpeakerChange, WithdrawnSpeaker } from './state.js';

type Recorded<Type extends AudioEvent['type']> = Extract<AudioEvent, { type: Type }>['data'];

const registered = (data: Recorded<'AudioRegistered'>): RegisteredAudio => ({
  _tag: 'Registered',
  audio_id: data.audio_id,
  owner_id: data.owner_id,
  kind: data.kind,
  title: data.title,
  video_id: data.video_id,
  deal_persons: data.deal_persons,
  status: 'queue',
  analysis_id: null,
  speakers: new Map(),
  completed: null,
  renumberings: [],
  linked_at: -1,
  changes: { turns: [], transcript: [] },
  turns: null,
  transcript: null,
  provider_supplied: false,
  replaced_by: null,
  speech_segments: null,
  inferences: new Set(),
  shared_reverts: [],
});

/**
 * A speaker that continues an earlier one keeps who gave its name. Written field by field: adding fields to a copy takes ten times as
 * long.
 */
const analysedSpeaker = (speaker: RecordedSpeaker, known: Speaker | undefined): Speaker => ({
  speaker_id: speaker.speaker_id,
  name: speaker.name,
  role: speaker.role,
  synthetic: speaker.synthetic,
  deal_person_id: speaker.deal_person_id,
  named_by: known !== undefined && known.name === speaker.name ? known.named_by : 'analysis',
  role_by: known?.role_by ?? 'analysis',
  renamed_at: known?.renamed_at ?? null,
  name_put_back: known?.name_put_back ?? false,
});

const analysed = (
  state: RegisteredAudio,
  data: Recorded<'AudioAnalysisRecorded'>,
  revision: number,
): RegisteredAudio => {
  const { status, renumbered, discontinued, keeps } = data;
  const continued = continuedBy(data, state.speakers);
  const step: ReadonlyArray<SpeakerChange> = isRenumbering(data)
    ? [{ kind: 'renumbered', renumbered, discontinued }]
    : [];
  const turns = keeps.turns ? state.turns : data.turns;
  const changes = {
    turns: keeps.turns ? [...state.changes.turns, ...step] : [],
    transcript: keeps.transcript ? [...state.changes.transcript, ...step] : [],
  };
  return {
    ...state,
    status,
    analysis_id: data.analysis_id,
    speakers: new Map(
      data.speakers.map((speaker): [SpeakerId, Speaker] => {
        const earlier = continued(speaker.speaker_id);
        return [
          speaker.speaker_id,
          analysedSpeaker(speaker, earlier === undefined ? undefined : state.speakers.get(earlier)),
        ];
      }),
    ),
    completed: status === 'completed' ? { turns, changes: changes.turns } : state.completed,
    renumberings: isRenumbering(data)
      ? [...state.renumberings, { revision, renumbered, discontinued }]
      : state.renumberings,
    changes,
    turns,
    transcript: keeps.transcript ? state.transcript : data.transcript,
    provider_supplied: state.provider_supplied || data.provider_supplied,
    speech_segments: data.speech_segments,
  };
};

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

/** A name that was only claimed keeps its date, because it did not change. */
const withNames = (
  state: RegisteredAudio,
  renamed: Recorded<'SpeakersRenamed'>['speakers'],
  at: Timestamp,
): RegisteredAudio =>
  withSpeakers(
    state,
    renamed.map(({ speaker_id, name, previous_name, named_by }) => ({
      speaker_id,
      name,
      named_by: named_by.after,
      ...(name === previous_name ? {} : { renamed_at: at, name_put_back: false }),
    })),
  );

const inferred = (
  state: RegisteredAudio,
  { run_id, renamed, roles, at }: Recorded<'NamesInferred'>,
): RegisteredAudio => {
  const persons = renamed.map(({ speaker_id, deal_person_id }) => ({ speaker_id, deal_person_id }));
  const given = roles.map(({ speaker_id, role, role_by }) => ({ speaker_id, role, role_by: role_by.after }));
  return {
    ...withSpeakers(withSpeakers(withNames(state, renamed, at), persons), given),
    inferences: new Set(state.inferences).add(run_id),
  };
};

const withdrawn = (state: RegisteredAudio, withdrawal: Omit<WithdrawnSpeaker, 'kind'>): RegisteredAudio => {
  const gone: WithdrawnSpeaker = { kind: 'withdrawn', ...withdrawal };
  const speakers = new Map(state.speakers);
  speakers.delete(gone.speaker_id);
  const { completed } = state;
  const { turns, transcript } = state.changes;
  return {
    ...state,
    speakers,
    completed: completed === null ? null : { ...completed, changes: [...completed.changes, gone] },
    changes: { turns: [...turns, gone], transcript: [...transcript, gone] },
  };
};

const merged = (state: RegisteredAudio, data: Recorded<'SpeakersMerged'>): RegisteredAudio => {
  const { from, into, removed, renamed, at } = data;
  const next = withdrawn(state, { speaker_id: from, name: removed.name, merged_into: into, at });
  return renamed === null ? next : withNames(next, [renamed], at);
};

const putBack = ({ speaker_id, name, role, deal_person_id }: SpeakerEdit, at: Timestamp) => ({
  speaker_id,
  ...(name === null ? {} : { ...name.after, renamed_at: at, name_put_back: true }),
  ...role?.after,
  ...(deal_person_id === null ? {} : { deal_person_id: deal_person_id.after }),
});

const reverted = (state: RegisteredAudio, data: Recorded<'AudioChangeReverted'>): RegisteredAudio => {
  const { speakers, title, video, change_id, at } = data;
  return {
    ...withSpeakers(
      state,
      speakers.map((speaker) => putBack(speaker, at)),
    ),
    title: title === null ? state.title : title.after,
    shared_reverts:
      video === null
        ? state.shared_reverts
        : withSharedRevert(state.shared_reverts, { change_id, other_revision: video.video_revision }),
  };
};

const detached = (state: RegisteredAudio, { title, speakers }: Recorded<'AudioDetached'>): RegisteredAudio => ({
  ...withSpeakers(state, speakers ?? []),
  title: title === undefined ? state.title : title,
  video_id: null,
});

const evolveRegistered = (
  state: RegisteredAudio,
  event: Exclude<AudioEvent, { type: 'MediumErased' }>,
  revision: number,
): RegisteredAudio => {
  switch (event.type) {
    case 'AudioRegistered':
      return registered(event.data);
    case 'AudioAttached':
      return { ...state, video_id: event.data.video_id, linked_at: revision };
    case 'AudioDetached':
      return detached(state, event.data);
    case 'AudioAnalysisRecorded':
      return analysed(state, event.data, revision);
    case 'TranscriptReplaced':
      return {
        ...state,
        transcript: event.data.transcript,
        changes: { ...state.changes, transcript: [] },
        replaced_by: event.data.transcript_id,
      };
    case 'SpeakersRenamed':
      return withNames(state, event.data.speakers, event.data.at);
    case 'NamesInferred':
      return inferred(state, event.data);
    case 'SpeakerRolesSet':
      return withSpeakers(
        state,
        event.data.speakers.map(({ speaker_id, role, role_by }) => ({ speaker_id, role, role_by: role_by.after })),
      );
    case 'SpeakersMerged':
      return merged(state, event.data);
    case 'SpeakerDeleted': {
      const { removed, at } = event.data;
      return withdrawn(state, { speaker_id: removed.speaker_id, name: removed.name, merged_into: null, at });
    }
    case 'AudioDetailsChanged':
      return { ...state, title: event.data.title.after };
    case 'AudioChangeReverted':
      return reverted(state, event.data);
  }
};

export const evolve = (state: AudioState, event: AudioEvent, revision: number): AudioState => {
  if (event.type === 'AudioRegistered') return registered(event.data);
  if (event.type === 'MediumErased') return erasedBy(event.data);
  return state._tag === 'Registered' ? evolveRegistered(state, event, revision) : state;
};
