import { nothing, record, refuse } from '../kernel/decider.js';
import {
  type Edit,
  type RecordFields,
  fieldsOf,
  inverted,
  isChangedSince,
  mergeByKey,
  mergeIfAny,
  sameJson,
  undoing,
} from '../kernel/edit.js';
import { isTouched, renumberedAfter } from '../kernel/renumbering.js';
import type { RevertVideoChange } from '../video/contract.js';
import type { AudioChanges, SpeakerEdit } from './changes.js';
import type { RevertAudioChange, AudioDecision } from './contract.js';
import type { AudioEvent } from './events.js';
import { type RegisteredAudio, laterThanAllNames } from './state.js';

const none: AudioChanges = { speakers: [], title: null };

type Renamed = Extract<AudioEvent, { type: 'SpeakersRenamed' }>['data']['speakers'][number];

const unlessSame = <E extends Edit<unknown>>(edit: E | null): E | null =>
  edit === null || sameJson(edit.before, edit.after) ? null : edit;

/** What was edited of a speaker. Who set a role counts only with the role. */
const ofSpeaker = (
  speaker_id: SpeakerEdit['speaker_id'],
  { name = null, role = null, deal_person_id = null }: Partial<SpeakerEdit>,
): SpeakerEdit => ({
  speaker_id,
  name: unlessSame(name),
  role: role?.before.role === role?.after.role ? null : role,
  deal_person_id: unlessSame(deal_person_id),
});

const renaming = ({ name, previous_name, named_by }: Renamed): SpeakerEdit['name'] => ({
  before: { name: previous_name, named_by: named_by.before },
  after: { name, named_by: named_by.after },
});

/** The reversible changes of an event. */
const contents = (event: AudioEvent): AudioChanges => {
  switch (event.type) {
    case 'SpeakersRenamed':
      return {
        ...none,
        speakers: event.data.speakers.map((speaker) => ofSpeaker(speaker.speaker_id, { name: renaming(speaker) })),
      };
    case 'SpeakerRolesSet':
      return {
        ...none,
        speakers: event.data.speakers.map(({ speaker_id, role, previous_role, role_by }) =>
          ofSpeaker(speaker_id, {
            role: { before: { role: previous_role, role_by: role_by.before }, after: { role, role_by: role_by.after } },
          }),
        ),
      };
    case 'NamesInferred': {
      const { renamed, roles } = event.data;
      const named = renamed.map((speaker) => {
        const { speaker_id, deal_person_id: after, previous_deal_person_id: before } = speaker;
        return ofSpeaker(speaker_id, { name: renaming(speaker), deal_person_id: { before, after } });
      });
      const cast = roles.map(({ speaker_id, role, role_by }) =>
        ofSpeaker(speaker_id, {
          role: { before: { role: null, role_by: role_by.before }, after: { role, role_by: role_by.after } },
        }),
      );
      return { ...none, speakers: mergeSpeakers(named, cast) };
    }
    case 'AudioDetailsChanged':
      return { ...none, title: event.data.title };
    case 'AudioChangeReverted':
      return { speakers: event.data.speakers, title: event.data.title };
    default:
      return none;
  }
};

const irreversible = {
  AudioRegistered: 'registration',
  AudioAttached: 'link',
  AudioDetached: 'link',
  AudioAnalysisRecorded: 'analysis',
  TranscriptReplaced: 'transcript',
  SpeakersMerged: 'merge',
  SpeakerDeleted: 'deletion',
} as const satisfies Partial<Record<AudioEvent['type'], string>>;

/** Why a change of an audio cannot be undone. */
export type IrreversibleAudioChange = (typeof irreversible)[keyof typeof irreversible];

/** The reason why an event cannot be undone; null if it can. */
export const irreversibleAudioChange = ({ type }: AudioEvent): IrreversibleAudioChange | null => {
  const reasons: Partial<Record<AudioEvent['type'], IrreversibleAudioChange>> = irreversible;
  return reasons[type] ?? null;
};

const mergeSpeakers = (
  first: ReadonlyArray<SpeakerEdit>,
  second: ReadonlyArray<SpeakerEdit>,
): ReadonlyArray<SpeakerEdit> =>
  mergeByKey(
    first,
    second,
    ({ speaker_id }) => speaker_id,
    (earlier, edit) =>
      ofSpeaker(edit.speaker_id, {
        name: mergeIfAny(earlier.name, edit.name),
        role: mergeIfAny(earlier.role, edit.role),
        deal_person_id: mergeIfAny(earlier.deal_person_id, edit.deal_person_id),
      }),
  );

/** The combined reversible changes of the events of one change, given in order. */
export const audioChangesOf = (events: ReadonlyArray<AudioEvent>): AudioChanges =>
  events.map(contents).reduce(
    (first, second) => ({
      speakers: mergeSpeakers(first.speakers, second.speakers),
      title: mergeIfAny(first.title, second.title),
    }),
    none,
  );

const speakerFields = ['name', 'role', 'deal_person_id'] as const;

const isEmpty = ({ speakers, title }: AudioChanges): boolean => speakers.length === 0 && title === null;

interface Undone {
  /** The changes of the revert (from the current to the restored values). */
  readonly changes: AudioChanges;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** Undoes a change of a speaker field by field. A name includes who gave it: a person may have claimed it since. */
const undoneSpeaker = ({ speakers }: RegisteredAudio, edit: SpeakerEdit): Undone => {
  const { speaker_id, name, role, deal_person_id } = edit;
  const speaker = speakers.get(speaker_id);
  const undo = ofSpeaker(
    speaker_id,
    speaker === undefined
      ? {}
      : {
          name: undoing({ name: speaker.name, named_by: speaker.named_by }, name),
          role: role?.after.role === speaker.role ? inverted(role) : null,
          deal_person_id: undoing(speaker.deal_person_id, deal_person_id),
        },
  );
  const before = { name: name?.before.name, role: role?.before.role, deal_person_id: deal_person_id?.before };
  const left = speakerFields.filter(
    (field) => edit[field] !== null && undo[field] === null && speaker?.[field] !== before[field],
  );
  const isUndone = speakerFields.some((field) => undo[field] !== null);
  return {
    changes: { ...none, speakers: isUndone ? [undo] : [] },
    changed_since: fieldsOf('speaker', speaker_id, left),
  };
};

/** Undoes a change of an audio field by field, by value, as far as the current state allows. */
const undone = (state: RegisteredAudio, { speakers, title }: AudioChanges): Undone => {
  const parts = speakers.map((edit) => undoneSpeaker(state, edit));
  return {
    changes: { speakers: parts.flatMap(({ changes }) => changes.speakers), title: undoing(state.title, title) },
    changed_since: [
      ...parts.flatMap(({ changed_since }) => changed_since),
      ...fieldsOf('audio', state.audio_id, isChangedSince(state.title, title) ? ['title'] : []),
    ],
  };
};

const invertedSpeaker = ({ speaker_id, name, role, deal_person_id }: SpeakerEdit): SpeakerEdit => ({
  speaker_id,
  name: name && inverted(name),
  role: role && inverted(role),
  deal_person_id: deal_person_id && inverted(deal_person_id),
});

/** What a revert of the video passes on to the audio: the part of the audio's changes that can be undone. */
export const partOfAudio = (
  state: RegisteredAudio,
  audio_revision: number,
  made: AudioChanges,
): Pick<RevertVideoChange, 'other' | 'changed_since'> => {
  const { changes, changed_since } = undone(state, made);
  const undoable = { speakers: changes.speakers.map(invertedSpeaker), title: changes.title && inverted(changes.title) };
  const part = { audio_id: state.audio_id, audio_revision, changes: undoable };
  return { other: isEmpty(changes) ? null : part, changed_since };
};

/** The edits of speakers that have the same number since a revision. */
const withoutRenumbered = (
  { renumberings }: RegisteredAudio,
  { changes, revision }: Pick<RevertAudioChange, 'changes' | 'revision'>,
): ReadonlyArray<SpeakerEdit> => {
  const isRenumbered = isTouched(renumberedAfter(renumberings, revision));
  return changes.speakers.filter(({ speaker_id }) => !isRenumbered(speaker_id));
};

/** Whether a change made at a revision touched speakers that have other numbers since, or are gone. */
export const touchesRenumberedSpeakers = (
  state: RegisteredAudio,
  made: Pick<RevertAudioChange, 'changes' | 'revision'>,
): boolean => withoutRenumbered(state, made).length < made.changes.speakers.length;

/** Undoes a change of the audio, and passes the video's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredAudio,
  command: RevertAudioChange,
): AudioDecision<'RevertAudioChange'> => {
  const { position, change_id, cause, other, at } = command;
  const isRequest = cause.kind === 'request';
  if (isRequest && touchesRenumberedSpeakers(state, command))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const standing = { ...command.changes, speakers: withoutRenumbered(state, command) };
  const { changes, changed_since: left } = undone(state, standing);
  const changed_since = [...left, ...command.changed_since];
  if (isEmpty(changes) && other === null)
    return isRequest ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  return record<AudioEvent>({
    type: 'AudioChangeReverted',
    data: { ...changes, position, change_id, cause, video: other, changed_since, at: laterThanAllNames(at, state) },
  });
};
