import { nothing, record, refuse } from '../kernel/decider.js';
import { firstRepeated } from '../kernel/first-repeated.js';
import { type GivenName, isRealName } from '../kernel/names.js';
import { laterThan } from '../kernel/timestamp.js';
import type { FollowFaceMatch, MergeSpeakers, RenameSpeakers, SetSpeakerRoles } from './contract.js';
import type { AudioDecision } from './refusals.js';
import type { AudioEvent } from './events.js';
import { type RegisteredAudio, type Speaker, datedLast, recordedSpeaker } from './state.js';

const renamedSpeaker = (speaker: Speaker, { name, named_by }: GivenName) => ({
  speaker_id: speaker.speaker_id,
  name,
  previous_name: speaker.name,
  named_by: { before: speaker.named_by, after: named_by },
});

const isPersons = (speaker: Speaker, name: string): boolean => speaker.name === name && speaker.named_by === 'person';

/** Unknown speakers are skipped (specification, section 4.5). One that is called so already is now called so by a person. */
export const renameSpeakers = (
  state: RegisteredAudio,
  { speakers, at }: RenameSpeakers,
): AudioDecision<'RenameSpeakers'> => {
  const repeated = firstRepeated(speakers.map(({ speaker_id }) => speaker_id));
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
        data: { speakers: renamed, cause: { kind: 'request' }, at: datedLast(at, state) },
      });
};

/**
 * The later change stands: a speaker that was renamed after the faces were matched is left alone. One that was renamed at
 * the same date is called otherwise from then on: that is dated later, so that no date has two names.
 */
export const followFaceMatch = (
  state: RegisteredAudio,
  { video_id, video_revision, speakers, at }: FollowFaceMatch,
): AudioDecision<'FollowFaceMatch'> => {
  const followed = speakers.flatMap(({ speaker_id, name }) => {
    const speaker = state.speakers.get(speaker_id);
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

/** Unknown speakers are skipped, as they are with names. */
export const setRoles = (state: RegisteredAudio, { speakers }: SetSpeakerRoles): AudioDecision<'SetSpeakerRoles'> => {
  const repeated = firstRepeated(speakers.map(({ speaker_id }) => speaker_id));
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

/** The real name is kept where only one of the two has one. */
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
          at: datedLast(at, state),
        },
      });
};
