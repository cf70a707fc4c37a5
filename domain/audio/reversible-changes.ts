import { type Edit, mergeByKey, mergeIfAny, sameJson } from '../kernel/edit.js';
import type { AudioChanges, SpeakerEdit } from './changes.js';
import type { AudioData, AudioEvent } from './events.js';

/** What was edited of a speaker. */
export const ofSpeaker = (
  speaker_id: SpeakerEdit['speaker_id'],
  { name = null, role = null, deal_person_id = null }: Partial<SpeakerEdit>,
): SpeakerEdit => ({ speaker_id, name, role, deal_person_id });

const unlessSame = <E extends Edit<unknown>>(edit: E | null): E | null =>
  edit === null || sameJson(edit.before, edit.after) ? null : edit;

/** Without what was set to what it was. */
const changesIn = ({ speaker_id, name, role, deal_person_id }: SpeakerEdit): SpeakerEdit => ({
  speaker_id,
  name: unlessSame(name),
  role: unlessSame(role),
  deal_person_id: unlessSame(deal_person_id),
});

/** The edit of a speaker that was renamed, and perhaps linked with another person. */
export const renamedSpeaker = (
  { speaker_id, name, previous_name, named_by }: AudioData<'SpeakersRenamed'>['speakers'][number],
  deal_person_id: SpeakerEdit['deal_person_id'] = null,
): SpeakerEdit => {
  const before = { name: previous_name, named_by: named_by.before };
  return ofSpeaker(speaker_id, { name: { before, after: { name, named_by: named_by.after } }, deal_person_id });
};

const roleSet = ({
  speaker_id,
  role,
  previous_role,
  role_by,
}: AudioData<'SpeakerRolesSet'>['speakers'][number]): SpeakerEdit => {
  const before = { role: previous_role, role_by: role_by.before };
  return ofSpeaker(speaker_id, { role: { before, after: { role, role_by: role_by.after } } });
};

/** The edits of speakers in an event; a speaker may have several. */
const speakersIn = (event: AudioEvent): ReadonlyArray<SpeakerEdit> => {
  switch (event.type) {
    case 'SpeakersRenamed':
      return event.data.speakers.map((speaker) => renamedSpeaker(speaker));
    case 'SpeakerRolesSet':
      return event.data.speakers.map(roleSet);
    case 'NamesInferred':
      return [
        ...event.data.renamed.map((speaker) =>
          renamedSpeaker(speaker, { before: speaker.previous_deal_person_id, after: speaker.deal_person_id }),
        ),
        ...event.data.roles.map((speaker) => roleSet({ ...speaker, previous_role: null })),
      ];
    case 'AudioChangeReverted':
      return event.data.speakers;
    default:
      return [];
  }
};

const titleIn = (event: AudioEvent): AudioChanges['title'] =>
  event.type === 'AudioDetailsChanged' || event.type === 'AudioChangeReverted' ? event.data.title : null;

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

/**
 * What an event edited that an undo can put back, in order. Events of the first versions may give a name again that their
 * upcaster takes for a person's already.
 */
export const audioEditsIn = (event: AudioEvent): AudioChanges => ({
  speakers: speakersIn(event),
  title: titleIn(event),
});

const mergeSpeaker = (first: SpeakerEdit, second: SpeakerEdit): SpeakerEdit =>
  changesIn({
    speaker_id: second.speaker_id,
    name: mergeIfAny(first.name, second.name),
    role: mergeIfAny(first.role, second.role),
    deal_person_id: mergeIfAny(first.deal_person_id, second.deal_person_id),
  });

/** The combined reversible changes of the events of one change, given in order. */
export const audioChangesOf = (events: ReadonlyArray<AudioEvent>): AudioChanges => ({
  speakers: mergeByKey(events.flatMap(speakersIn).map(changesIn), ({ speaker_id }) => speaker_id, mergeSpeaker),
  title: events.map(titleIn).reduce(mergeIfAny, null),
});
