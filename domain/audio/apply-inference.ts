import { nothing, record } from '../kernel/decider.js';
import type { ApplyInference } from './contract.js';
import type { AudioDecision } from './refusals.js';
import type { AudioEvent, DealPerson } from './events.js';
import { type RegisteredAudio, datedLast } from './state.js';

/** The deal person of that name, if there is exactly one. */
const dealPersonNamed = (persons: ReadonlyArray<DealPerson>, name: string): string | null => {
  const [only, ...others] = persons.filter((person) => person.name === name);
  return only === undefined || others.length > 0 ? null : only.person_id;
};

/** For each speaker the first row that has a value counts. */
const firstOfEach = <Row extends { readonly speaker_id: number }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const seen = new Set<number>();
  return rows.filter(({ speaker_id }) => seen.size !== seen.add(speaker_id).size);
};

/**
 * Writes the accepted names and roles of a committing inference, and the run itself to the audit list, once. A speaker
 * that is gone, or has a role by now, is left alone.
 */
export const applyInference = (state: RegisteredAudio, command: ApplyInference): AudioDecision<'ApplyInference'> => {
  const { run_id, by, target_speaker_ids, results, at } = command;
  if (state.inferences.has(run_id)) return nothing;
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
      at: renamed.length === 0 ? at : datedLast(at, state),
      target_speaker_ids,
      results,
      renamed,
      roles,
    },
  });
};
