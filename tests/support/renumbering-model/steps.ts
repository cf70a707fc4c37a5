import * as fc from 'fast-check';

/*
 * Voices and faces are told apart by time alone: voice n speaks in the seconds from 10 n, and so is face n seen. Analyses
 * number those that they find as they like, with blurred edges. Whoever is not found begins anew: a voice with a number
 * is an identity of its own until an analysis leaves it out.
 */

const somebody = fc.nat(3);
const share = fc.integer({ min: 0, max: 3 });
const numbers = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4 });
const found = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
const analysis = { numbers, found, blur: share, stated: fc.boolean() };
const does = <Do extends string>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

export const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: does('analyse voices'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('analyse faces'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('name voice'), voice: somebody }) },
  fc.record({ do: does('name face'), face: somebody }),
  { weight: 3, arbitrary: fc.record({ do: does('match'), face: somebody, voice: somebody, named: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: does('reject'), face: somebody, voice: somebody }) },
  fc.record({ do: does('queue') }),
  { weight: 2, arbitrary: fc.record({ do: does('answer'), face: somebody, voice: somebody }) },
  { weight: 2, arbitrary: fc.record({ do: does('undo'), ago: fc.nat(5), of: fc.constantFrom('video', 'audio') }) },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer Of> ? Of : never;
