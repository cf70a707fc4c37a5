import { type Erased, erasedBy } from '../kernel/erased.js';
import type { RunId, SpeakerId } from '../kernel/ids.js';
import type { Chunks, ProcessingStatus } from '../kernel/media.js';
import { type Timestamp, laterThan, latest } from '../kernel/timestamp.js';
import type { NamedBy } from '../kernel/names.js';
import {
  type RenumberedAt,
  type Renumbering,
  renumberedAfter,
  continuing,
  isRenumbering,
} from '../kernel/renumbering.js';
import type { AudioChanges, RoleBy } from './changes.js';
import type { RecordedSpeaker, AudioEvent, AudioData } from './events.js';
import { audioEditsIn, renamedSpeaker } from './reversible-changes.js';

export interface Speaker extends RecordedSpeaker {
  /** Who gave the name. An analysis overwrites only names that an analysis gave. */
  readonly named_by: NamedBy;
  /** Who set or cleared the role. An analysis overwrites only roles that an analysis set. */
  readonly role_by: RoleBy;
  /** When the name last changed; null if never. */
  readonly renamed_at: Timestamp | null;
  /** A revert restored the name. It is passed on to the face only if the undone change was. */
  readonly name_put_back: boolean;
}

/** A speaker that was merged or deleted. */
export interface WithdrawnSpeaker {
  readonly kind: 'withdrawn';
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly merged_into: SpeakerId | null;
  readonly at: Timestamp;
}

/** What changed whose the recorded ids of speakers are. */
export type SpeakerChange = WithdrawnSpeaker | ({ readonly kind: 'renumbered' } & Renumbering<SpeakerId>);

/** The last completed analysis, with which the next one is compared. */
export interface CompletedAnalysis {
  readonly turns: Chunks | null;
  readonly changes: ReadonlyArray<SpeakerChange>;
}

export interface RegisteredAudio extends Readonly<AudioData<'AudioRegistered'>> {
  readonly _tag: 'Registered';
  readonly status: ProcessingStatus;
  readonly analysis_id: string | null;
  readonly speakers: ReadonlyMap<SpeakerId, Speaker>;
  readonly completed: CompletedAnalysis | null;
  /** All renumberings, oldest first. */
  readonly renumberings: ReadonlyArray<RenumberedAt<SpeakerId>>;
  /** The revision at which the video was linked: it follows the renumberings after it. */
  readonly linked_at: number;
  /** What changed, in order, since the turns and the transcript were recorded. These still contain the ids of then. */
  readonly changes: {
    readonly turns: ReadonlyArray<SpeakerChange>;
    readonly transcript: ReadonlyArray<SpeakerChange>;
  };
  readonly turns: Chunks | null;
  readonly transcript: Chunks | null;
  readonly provider_supplied: boolean;
  /** The transcript that replaced the analysed one. With it, the audio is ineligible for name inference. */
  readonly replaced_by: string | null;
  readonly speech_segments: string | null;
  /** Name inferences whose results were written. */
  readonly inferences: ReadonlySet<RunId>;
}

export type AudioState = { readonly _tag: 'Unregistered' } | RegisteredAudio | Erased;

/** When a speaker was last renamed or withdrawn; null if never. */
export const lastRenamedAt = ({ speakers, changes }: RegisteredAudio): Timestamp | null =>
  latest([
    ...[...speakers.values()].map(({ renamed_at }) => renamed_at),
    ...[...changes.turns, ...changes.transcript].flatMap((change) => (change.kind === 'withdrawn' ? [change.at] : [])),
  ]);

/** Returns `at`, or a later time so that it follows the dates of all names. */
export const laterThanAllNames = (at: Timestamp, state: RegisteredAudio): Timestamp =>
  laterThan(at, [lastRenamedAt(state)]);

/** The revision of the last renumbering that the linked video follows; -1 if there is none. */
export const lastRenumbering = ({ renumberings, linked_at }: RegisteredAudio): number =>
  renumberedAfter(renumberings, linked_at).at(-1)?.revision ?? -1;

/** Names the state of the speakers with which a new analysis is compared. */
export const comparedState = ({ analysis_id, completed, speakers }: RegisteredAudio): string =>
  `${analysis_id} ${completed?.changes.length ?? 0} ${speakers.size}`;

const registered = (data: AudioData<'AudioRegistered'>): RegisteredAudio => ({
  _tag: 'Registered',
  ...data,
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
});

/** A speaker that continues an earlier one keeps who gave its name. */
const analysedSpeaker = (speaker: RecordedSpeaker, known: Speaker | undefined): Speaker => ({
  ...speaker,
  named_by: known !== undefined && known.name === speaker.name ? known.named_by : 'analysis',
  role_by: known?.role_by ?? 'analysis',
  renamed_at: known?.renamed_at ?? null,
  name_put_back: known?.name_put_back ?? false,
});

const analysed = (
  state: RegisteredAudio,
  data: AudioData<'AudioAnalysisRecorded'>,
  revision: number,
): RegisteredAudio => {
  const { status, renumbered, discontinued, keeps } = data;
  const continued = continuing(data, state.speakers);
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
      data.speakers.map((speaker): [SpeakerId, Speaker] => [
        speaker.speaker_id,
        analysedSpeaker(speaker, continued(speaker.speaker_id)),
      ]),
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

/**
 * The state after edits at a time. A name that a person only confirmed keeps its date, because it did not change; one that a
 * revert puts back does not.
 */
const withEdits = (
  state: RegisteredAudio,
  { speakers, title }: AudioChanges,
  at: Timestamp | null,
  put_back = false,
): RegisteredAudio => ({
  ...withSpeakers(
    state,
    speakers.map(({ speaker_id, name, role, deal_person_id }) => ({
      speaker_id,
      ...name?.after,
      ...(name !== null && (put_back || name.before.name !== name.after.name)
        ? { renamed_at: at, name_put_back: put_back }
        : {}),
      ...role?.after,
      ...(deal_person_id === null ? {} : { deal_person_id: deal_person_id.after }),
    })),
  ),
  title: title === null ? state.title : title.after,
});

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

const merged = (state: RegisteredAudio, data: AudioData<'SpeakersMerged'>): RegisteredAudio => {
  const { from, into, removed, renamed, at } = data;
  const next = withdrawn(state, { speaker_id: from, name: removed.name, merged_into: into, at });
  return renamed === null ? next : withEdits(next, { speakers: [renamedSpeaker(renamed)], title: null }, at);
};

const detached = (state: RegisteredAudio, { title, speakers }: AudioData<'AudioDetached'>): RegisteredAudio => ({
  ...withSpeakers(state, speakers ?? []),
  title: title === undefined ? state.title : title,
  video_id: null,
});

const evolveRegistered = (
  state: RegisteredAudio,
  event: Exclude<AudioEvent, { type: 'AudioRegistered' | 'MediumErased' }>,
  revision: number,
): RegisteredAudio => {
  switch (event.type) {
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
    case 'SpeakerRolesSet':
      return withEdits(state, audioEditsIn(event), null);
    case 'SpeakersRenamed':
    case 'AudioDetailsChanged':
      return withEdits(state, audioEditsIn(event), event.data.at);
    case 'AudioChangeReverted':
      return withEdits(state, audioEditsIn(event), event.data.at, true);
    case 'NamesInferred':
      return {
        ...withEdits(state, audioEditsIn(event), event.data.at),
        inferences: new Set(state.inferences).add(event.data.run_id),
      };
    case 'SpeakersMerged':
      return merged(state, event.data);
    case 'SpeakerDeleted': {
      const { removed, at } = event.data;
      return withdrawn(state, { speaker_id: removed.speaker_id, name: removed.name, merged_into: null, at });
    }
  }
};

export const evolve = (state: AudioState, event: AudioEvent, revision: number): AudioState => {
  if (event.type === 'AudioRegistered') return registered(event.data);
  if (event.type === 'MediumErased') return erasedBy(event.data);
  return state._tag === 'Registered' ? evolveRegistered(state, event, revision) : state;
};
