import * as fc from 'fast-check';
import { at } from './given.js';

/* Plausible values of the fields of events. */

export const pick = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values);
export const orNull = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(values, { nil: null });
export const some = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A[]> => fc.array(values, { maxLength: 3 });

export const text = fc.oneof(
  pick('Ada', "O'Brien", '"; DROP', 'Bo \u0000 \u2028', '人'),
  fc.string({ unit: 'binary' }),
);
export const number = fc.nat(3);
export const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
export const time = fc.nat(5_000).map(at);
export const video_id = pick('v0', 'v1', 'v2');
export const audio_id = pick('a0', 'a1');
export const run_id = pick('r0', 'r1', 'r2');
export const account_id = pick('o0', 'o1');
export const key_id = pick('k0', 'k1', 'k2');
export const kind = pick('upload', 'meeting');
export const status = pick('queue', 'processing', 'completed', 'failed');
export const mode = pick('suggest', 'commit');
export const traits = fc.dictionary(text, fc.oneof(text, share, fc.constant(null)), { maxKeys: 2 });
export const chunks = fc.record({ first_revision: number, parts: number });
export const attributes = {
  name: orNull(text),
  speaker_id: orNull(number),
  accuracy: orNull(share),
  personality_traits: orNull(traits),
};
export const change = fc.record({ face_id: number, before: fc.record(attributes), after: fc.record(attributes) });
export const speaker = fc.record({
  speaker_id: number,
  name: orNull(text),
  role: pick('agent', null),
  synthetic: fc.boolean(),
  deal_person_id: orNull(text),
});
export const match = fc.record({ face_id: number, speaker_id: number, accuracy: share });
export const block = fc.record({
  run_id,
  generated_at: time,
  mappings: some(
    fc.record({
      face_id: number,
      speaker_id: number,
      name: orNull(text),
      accuracy: share,
      channel: pick('name', 'co_occurrence'),
      evidence: traits,
    }),
  ),
  unmatched_speakers: some(
    fc.record(
      {
        speaker_id: number,
        reason: text,
        candidates: some(fc.record({ face_id: number, accuracy: share, matched_speaker_id: fc.option(number) })),
      },
      { requiredKeys: ['speaker_id', 'reason'] },
    ),
  ),
  unmatched_faces: some(number),
});
export const booking = {
  attribution: pick('own', 'assumed', 'unattributed', 'name_channel'),
  candidate_run_ids: some(run_id),
  late_write_suspected: fc.boolean(),
  late: fc.boolean(),
  at: time,
};
export const writeBack = { run_id, audio_id: orNull(audio_id), ...booking };
export const fromVideo = { video_revision: number, at: time };
export const owner = { owner_id: account_id, title: orNull(text), kind };
export const speakers = { speakers: some(fc.record({ speaker_id: number, name: text, previous_name: orNull(text) })) };
export const request = fc.constant({ kind: 'request' });
export const persons = some(fc.record({ person_id: text, name: text }));

export type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

export const tagKey = pick('vpm.a', 'label.b', 'user.c.d', 'survey.e');
export const tagSource = pick('importer.vpm', 'user.o0');
export const category = pick('provider', 'label', 'user');
export const tagValue = fc.oneof(text, share, fc.boolean(), some(text));
export const standing = fc.record({ value: tagValue, category, source: tagSource });
