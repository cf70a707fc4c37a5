import { nothing, record, refuse } from '../kernel/decider.js';
import { firstDuplicate } from '../kernel/ids.js';
import { type GivenName, isRealName } from '../kernel/names.js';
import { followIds, renumberedAfter } from '../kernel/renumbering.js';
import { laterThan } from '../kernel/timestamp.js';
import type {
  FollowFaceMatch,
  MergeSpeakers,
  RenameSpeakers,
  SetSpeakerRoles,
  AudioDecision,
  ApplyInference,
} from './contract.js';
import type { AudioEvent, DealPerson } from './events.js';
import { type RegisteredAudio, type Speaker, laterThanAllNames, recordedSpeaker } from './state.js';

const renamedSpeaker = (speaker: Speaker, { name, named_by }: GivenName) => ({
  speaker_id: speaker.speaker_id,
  name,
  previous_name: speaker.name,
  named_by: { before: speaker.named_by, after: named_by },
});

const isPersons = (speaker: Speaker, name: string): boolean => speaker.name === name && speaker.named_by === 'person';

/**
 * Renames speakers; unknown ones are skipped (specification, section 4.5). A name that the speaker already has is
 * marked as given by a person.
 */
export const renameSpeakers = (
  state: RegisteredAudio,
  { speakers, at }: RenameSpeakers,
): AudioDecision<'RenameSpeakers'> => {
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
export const followFaceMatch = (
  state: RegisteredAudio,
  { video_id, video_revision, renumbered_at, speakers, at }: FollowFaceMatch,
): AudioDecision<'FollowFaceMatch'> => {
  const presentId = followIds(renumberedAfter(state.renumberings, Math.max(renumbered_at, state.linked_at)));
  const followed = speakers.flatMap(({ speaker_id, name }) => {
    const present = presentId(speaker_id);
    const speaker = present === null ? undefined : state.speakers.get(present);
    return speaker === undefined || isPersons(speaker, name) || (speaker.renamed_at !== null && speaker.renamed_at > at)
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
export const setRoles = (state: RegisteredAudio, { speakers }: SetSpeakerRoles): AudioDecision<'SetSpeakerRoles'> => {
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

export const mergeSpeakers = (
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
export const applyInference = (state: RegisteredAudio, command: ApplyInference): AudioDecision<'ApplyInference'> => {
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
    if (speaker === undefined || (speaker.renamed_at !== null && speaker.renamed_at > at)) return [];
    const deal_person_id = dealPersonNamed(state.deal_persons, name);
    const previous = { previous_name: speaker.name, previous_deal_person_id: speaker.deal_person_id };
    const named_by = { before: speaker.named_by, after: 'person' as const };
    return [{ speaker_id, name, deal_person_id, named_by, ...previous }];
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
