import { nothing, record, refuse } from '../kernel/decider.js';
import {
  type Edit,
  type Verdict,
  type RecordFields,
  verdictOn,
  fieldsOf,
  isInProgress,
  mergeEdits,
  inverted,
  mergeByKey,
  sameJson,
} from '../kernel/edit.js';
import type { Naming } from '../kernel/names.js';
import { isTouched, renumberedAfter } from '../kernel/renumbering.js';
import { isEmptyChange } from '../video/changes.js';
import type { AudioChanges, SpeakerEdit } from './changes.js';
import type { RevertAudioChange, AudioDecision } from './contract.js';
import type { AudioEvent } from './events.js';
import { type RegisteredAudio, type Speaker, laterThanAllNames } from './state.js';

/** Why a change of an audio cannot be undone. */
export type IrreversibleAudioChange = 'registration' | 'link' | 'analysis' | 'transcript' | 'merge' | 'deletion';

const none: AudioChanges = { speakers: [], title: null };

type Renamed = Extract<AudioEvent, { type: 'SpeakersRenamed' }>['data']['speakers'][number];

const ofSpeaker = (speaker_id: SpeakerEdit['speaker_id'], edits: Partial<SpeakerEdit>): SpeakerEdit => ({
  speaker_id,
  name: null,
  role: null,
  deal_person_id: null,
  ...edits,
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

/** The reason why an event cannot be undone; null if it can. */
export const irreversibleAudioChange = (event: AudioEvent): IrreversibleAudioChange | null => {
  switch (event.type) {
    case 'AudioRegistered':
      return 'registration';
    case 'AudioAttached':
    case 'AudioDetached':
      return 'link';
    case 'AudioAnalysisRecorded':
      return 'analysis';
    case 'TranscriptReplaced':
      return 'transcript';
    case 'SpeakersMerged':
      return 'merge';
    case 'SpeakerDeleted':
      return 'deletion';
    default:
      return null;
  }
};

const mergeSpeakers = (
  first: ReadonlyArray<SpeakerEdit>,
  second: ReadonlyArray<SpeakerEdit>,
): ReadonlyArray<SpeakerEdit> =>
  mergeByKey(
    first,
    second,
    ({ speaker_id }) => speaker_id,
    (earlier, edit) => ({
      speaker_id: edit.speaker_id,
      name: mergeEdits(earlier.name, edit.name, sameJson),
      role: mergeEdits(earlier.role, edit.role, sameJson),
      deal_person_id: mergeEdits(earlier.deal_person_id, edit.deal_person_id),
    }),
  );

/** The combined reversible changes of the events of one change, given in order. */
export const audioChangesOf = (events: ReadonlyArray<AudioEvent>): AudioChanges =>
  events.map(contents).reduce(
    (first, second) => ({
      speakers: mergeSpeakers(first.speakers, second.speakers),
      title: mergeEdits(first.title, second.title),
    }),
    none,
  );

const speakerFields = ['name', 'role', 'deal_person_id'] as const;
type Field = (typeof speakerFields)[number];

/** A name includes who gave it: it counts as changed if a person has claimed it since. */
const nameVerdict = (speaker: Speaker, { before, after }: Edit<Naming>): Verdict => {
  if (speaker.name === after.name && speaker.named_by === after.named_by) return 'put_back';
  return speaker.name === before.name ? 'already' : 'changed_since';
};

const verdictsOn = (
  speaker: Speaker,
  { name, role, deal_person_id }: SpeakerEdit,
): Readonly<Record<Field, Verdict>> => ({
  name: name === null ? 'already' : nameVerdict(speaker, name),
  role: role === null ? 'already' : verdictOn(speaker.role, { before: role.before.role, after: role.after.role }),
  deal_person_id: deal_person_id === null ? 'already' : verdictOn(speaker.deal_person_id, deal_person_id),
});

interface Plan {
  /** The part of a change that can be undone, in the direction of the original change. */
  readonly changes: AudioChanges;
  readonly reverted: ReadonlyArray<RecordFields>;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** Plans to undo a change of an audio field by field (see `Verdict`), as far as the current state allows. */
export const planRevert = (state: RegisteredAudio, { speakers, title }: AudioChanges): Plan => {
  const parts = speakers.map((edit) => {
    const speaker = state.speakers.get(edit.speaker_id);
    const verdicts = speaker === undefined ? null : verdictsOn(speaker, edit);
    const fields = (wanted: Verdict): ReadonlyArray<Field> =>
      speakerFields.filter((field) =>
        verdicts === null ? edit[field] !== null && wanted === 'changed_since' : verdicts[field] === wanted,
      );
    const back = fields('put_back');
    const kept = {
      speaker_id: edit.speaker_id,
      name: back.includes('name') ? edit.name : null,
      role: back.includes('role') ? edit.role : null,
      deal_person_id: back.includes('deal_person_id') ? edit.deal_person_id : null,
    };
    return { kept, back, left: fields('changed_since') };
  });
  const ofTitle = title === null ? 'already' : verdictOn(state.title, title);
  const titled = (wanted: Verdict) => fieldsOf('audio', state.audio_id, ofTitle === wanted ? ['title'] : []);
  return {
    changes: {
      speakers: parts.flatMap(({ kept, back }) => (back.length === 0 ? [] : [kept])),
      title: ofTitle === 'put_back' ? title : null,
    },
    reverted: [...parts.flatMap(({ kept, back }) => fieldsOf('speaker', kept.speaker_id, back)), ...titled('put_back')],
    changed_since: [
      ...parts.flatMap(({ kept, left }) => fieldsOf('speaker', kept.speaker_id, left)),
      ...titled('changed_since'),
    ],
  };
};

const invertedSpeaker = ({ speaker_id, name, role, deal_person_id }: SpeakerEdit): SpeakerEdit => ({
  speaker_id,
  name: name && inverted(name),
  role: role && inverted(role),
  deal_person_id: deal_person_id && inverted(deal_person_id),
});

/** Undoes a change of the audio, and passes the video's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredAudio,
  command: RevertAudioChange,
): AudioDecision<'RevertAudioChange'> => {
  const { position, change_id, cause, other, at } = command;
  const isRenumbered = isTouched(renumberedAfter(state.renumberings, command.revision));
  const standing = command.changes.speakers.filter(({ speaker_id }) => !isRenumbered(speaker_id));
  if (cause.kind === 'request' && standing.length < command.changes.speakers.length)
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since: left } = planRevert(state, { ...command.changes, speakers: standing });
  const isOthers = other !== null && !isEmptyChange(other.changes);
  const isNew = isOthers && !isInProgress(state.shared_reverts, change_id, other.video_revision);
  const changed_since = [...left, ...(other?.changed_since ?? [])];
  if (changes.speakers.length === 0 && changes.title === null && !isNew)
    return cause.kind === 'request' ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  const video = isNew
    ? {
        video_id: other.video_id,
        video_revision: other.video_revision,
        changes: other.changes,
        run_id: other.run_id,
      }
    : null;
  return record<AudioEvent>({
    type: 'AudioChangeReverted',
    data: {
      speakers: changes.speakers.map(invertedSpeaker),
      title: changes.title && inverted(changes.title),
      position,
      change_id,
      cause,
      video,
      changed_since,
      at: laterThanAllNames(at, state),
    },
  });
};
