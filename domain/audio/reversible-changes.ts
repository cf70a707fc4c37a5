import { mergeEdits } from '../kernel/edit.js';
import type { AudioChanges, SpeakerEdit } from './changes.js';
import type { AudioEvent } from './events.js';

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

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const mergeSpeakers = (
  first: ReadonlyArray<SpeakerEdit>,
  second: ReadonlyArray<SpeakerEdit>,
): ReadonlyArray<SpeakerEdit> => {
  const merged = new Map(first.map((edit) => [edit.speaker_id, edit]));
  for (const edit of second) {
    const earlier = merged.get(edit.speaker_id);
    merged.set(edit.speaker_id, {
      speaker_id: edit.speaker_id,
      name: mergeEdits(earlier?.name ?? null, edit.name, sameJson),
      role: mergeEdits(earlier?.role ?? null, edit.role, sameJson),
      deal_person_id: mergeEdits(earlier?.deal_person_id ?? null, edit.deal_person_id),
    });
  }
  return [...merged.values()];
};

/** The combined reversible changes of the events of one change, given in order. */
export const audioChangesOf = (events: ReadonlyArray<AudioEvent>): AudioChanges =>
  events.map(contents).reduce(
    (first, second) => ({
      speakers: mergeSpeakers(first.speakers, second.speakers),
      title: mergeEdits(first.title, second.title),
    }),
    none,
  );
