import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Groups, type Outcome, atOnce, oneByOne, type Request } from '../support/simultaneous.js';
import { shortOrLong } from '../support/long-form.js';

const speaker = fc.constantFrom(1, 2);
const face = fc.constantFrom(1, 2);
const name = fc.constantFrom('Ann', 'Bea', 'Eve');
const does = <Do extends Request['do']>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

const naming: fc.Arbitrary<Request> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: does('rename'), speaker, name }) },
  { weight: 4, arbitrary: fc.record({ do: does('match'), face, speaker, name: fc.option(name) }) },
  { weight: 1, arbitrary: fc.record({ do: does('name face'), face, name }) },
  { weight: 2, arbitrary: fc.record({ do: does('write back'), face, speaker }) },
);
const any: fc.Arbitrary<Request> = fc.oneof(
  { weight: 8, arbitrary: naming },
  { weight: 1, arbitrary: fc.record({ do: does('merge'), from: speaker, into: fc.constant(3) }) },
  { weight: 1, arbitrary: fc.record({ do: does('delete'), speaker }) },
);

/** Up to two requests, then two to `most` simultaneous ones. */
const groupsOf = (request: fc.Arbitrary<Request>, most: number): fc.Arbitrary<Groups> => {
  const timed = fc.record({ request, at: fc.nat(2) });
  return fc.tuple(fc.array(timed, { maxLength: 2 }), fc.array(timed, { minLength: 2, maxLength: most }));
};

const pairs = ({ faces, speakers }: Outcome) =>
  faces.flatMap(({ face_id, speaker_id, called }) => {
    if (speaker_id === null) return [];
    const other = speakers.find((one) => one.speaker_id === speaker_id);
    return [{ pair: `${face_id} ${speaker_id}`, known: other !== undefined, differ: other?.called !== called }];
  });

const numRuns = Number(process.env['PROPERTY_SEQUENCES'] ?? shortOrLong(75, 500));

/** Whether the outcomes contain the wanted one. */
const isAmong = async (outcomes: AsyncIterable<Outcome>, wanted: Outcome): Promise<boolean> => {
  for await (const outcome of outcomes) if (isDeepStrictEqual(outcome, wanted)) return true;
  return false;
};

const partedIn = async (outcomes: AsyncIterable<Outcome>): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for await (const outcome of outcomes)
    pairs(outcome).forEach(({ pair, differ }) => {
      if (differ) found.add(pair);
    });
  return found;
};

describe('simultaneous requests for names and matches', function () {
  this.timeout(120_000);

  it('have the same result as one after the other, for any two', () =>
    fc.assert(
      fc.asyncProperty(groupsOf(naming, 2), fc.scheduler(), fc.boolean(), async (groups, turns, isOfInstance) => {
        const outcome = await atOnce(groups, turns, isOfInstance);
        if (await isAmong(oneByOne(groups), outcome)) return;
        expect.fail(`as no order of the requests ends: ${JSON.stringify(outcome)}`);
      }),
      { numRuns },
    ));

  it('give a face and its speaker one name, and leave no face with a removed speaker: any three, also merges and deletions', () =>
    fc.assert(
      fc.asyncProperty(groupsOf(any, 3), fc.scheduler(), fc.boolean(), async (groups, turns, isOfInstance) => {
        const found = pairs(await atOnce(groups, turns, isOfInstance));
        expect(found.filter(({ known }) => !known)).to.deep.equal([]);
        const differ = found.filter((one) => one.differ);
        if (differ.length === 0) return;
        const mayPart = await partedIn(oneByOne(groups));
        expect(differ.filter(({ pair }) => !mayPart.has(pair))).to.deep.equal([]);
      }),
      { numRuns },
    ));
});
