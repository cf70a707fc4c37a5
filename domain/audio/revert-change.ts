import * as E from 'fp-ts/lib/Either.js';
import { nothing, record, refuse } from '../kernel/decider.js';
import { type RenumberedSince, type Undone, fieldsOf, inverted, isChangedSince, undoing } from '../kernel/edit.js';
import { isTouched, renumberedAfter } from '../kernel/renumbering.js';
import type { RevertVideoChange } from '../video/contract.js';
import type { AudioChanges, SpeakerEdit } from './changes.js';
import type { RevertAudioChange, AudioDecision } from './contract.js';
import type { AudioEvent } from './events.js';
import { ofSpeaker } from './reversible-changes.js';
import { type RegisteredAudio, laterThanAllNames } from './state.js';

const none: AudioChanges = { speakers: [], title: null };

const speakerFields = ['name', 'role', 'deal_person_id'] as const;

const isEmpty = ({ speakers, title }: AudioChanges): boolean => speakers.length === 0 && title === null;

/** Undoes a change of a speaker field by field. A name includes who gave it: a person may have confirmed it since. */
const undoneSpeaker = ({ speakers }: RegisteredAudio, edit: SpeakerEdit): Undone<AudioChanges> => {
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
const undone = (state: RegisteredAudio, { speakers, title }: AudioChanges): Undone<AudioChanges> => {
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

type Made = Pick<RevertAudioChange, 'changes' | 'revision'>;

/** The edits of speakers that have the same number since a revision. */
const withoutRenumbered = ({ renumberings }: RegisteredAudio, { changes, revision }: Made): AudioChanges => {
  const isRenumbered = isTouched(renumberedAfter(renumberings, revision));
  return { ...changes, speakers: changes.speakers.filter(({ speaker_id }) => !isRenumbered(speaker_id)) };
};

/** Whether a change touched speakers that have other numbers since, or are gone. */
const touchesRenumbered = (state: RegisteredAudio, made: Made): boolean =>
  withoutRenumbered(state, made).speakers.length < made.changes.speakers.length;

/** What a revert of the video passes on to the audio: the part of the audio's changes that can be undone. */
export const partOfAudio = (
  state: RegisteredAudio,
  audio_revision: number,
  made: Made,
): E.Either<RenumberedSince, Pick<RevertVideoChange, 'other' | 'changed_since'>> => {
  if (touchesRenumbered(state, made)) return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since } = undone(state, made.changes);
  const undoable = { speakers: changes.speakers.map(invertedSpeaker), title: changes.title && inverted(changes.title) };
  const part = { audio_id: state.audio_id, audio_revision, changes: undoable };
  return E.right({ other: isEmpty(changes) ? null : part, changed_since });
};

/** Undoes a change of the audio, and passes the video's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredAudio,
  command: RevertAudioChange,
): AudioDecision<'RevertAudioChange'> => {
  const { position, change_id, cause, other, at } = command;
  const isRequest = cause.kind === 'request';
  if (isRequest && touchesRenumbered(state, command)) return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since: left } = undone(state, withoutRenumbered(state, command));
  const changed_since = [...left, ...command.changed_since];
  if (isEmpty(changes) && other === null)
    return isRequest ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  return record<AudioEvent>({
    type: 'AudioChangeReverted',
    data: { ...changes, position, change_id, cause, video: other, changed_since, at: laterThanAllNames(at, state) },
  });
};
