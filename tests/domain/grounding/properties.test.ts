import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import { ResultRow } from '../../../domain/grounding/result-row.js';
import { speakerId, videoId } from '../../support/values.js';
import { shortOrLong } from '../../support/long-form.js';

const pieces = [
  'Ada',
  'ada',
  'Bob',
  'Bob Ray',
  'I am',
  'thanks,',
  'Mr.',
  'operator',
  'the',
  'Аdа',
  'A\u200bda',
  '王明',
  '…',
  "'s",
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(' ', '  ', ', ', '. ', '\n')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));
const anyName = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Ada', 'ada', 'Bob', 'Bob Ray', '王明') }, text);
const anyText = fc.oneof({ weight: 6, arbitrary: text }, fc.string({ unit: 'binary', maxLength: 20 }));
const id = fc.integer({ min: 0, max: 2 }).map(speakerId);
const pattern = fc.constantFrom('self_introduction', 'introduced_by_other', 'addressed_by_other', 'sign_off');
const anyPattern = fc.oneof(pattern, fc.constantFrom('third_party_mention', 'guess', ''));

/** Arbitrary answers of a model, many with quotes from the transcript. */
const question: fc.Arbitrary<Grounding> = fc.array(fc.tuple(id, anyText), { maxLength: 8 }).chain((lines) => {
  const quote = fc.oneof(anyText, { weight: 3, arbitrary: fc.constantFrom(...lines.map(([, line]) => line), '') });
  const fields = { name: anyName, quote, pattern: anyPattern, role: fc.constantFrom('agent', 'customer', 'x') };
  return fc.record({
    video_id: fc.option(fc.constant(videoId('v1'))),
    transcript: fc.constant(
      lines.map(([speaker_id, line], at) => ({ speaker_id, text: line, start: at, end: at + 1 })),
    ),
    speakers: fc.array(
      fc.record({
        speaker_id: id,
        name: fc.option(anyText),
        role: fc.option(fc.constantFrom('agent' as const, 'customer' as const)),
        synthetic: fc.constant(false),
      }),
      { maxLength: 4 },
    ),
    target_speaker_ids: fc.array(id, { minLength: 1, maxLength: 4 }),
    infer_roles: fc.boolean(),
    proposals: fc.array(fc.record({ speaker_id: id, ...fields, role_quote: quote }, { requiredKeys: ['speaker_id'] }), {
      maxLength: 6,
    }),
  });
});

/** A text without everything that normalization ignores, including spaces: simple, but without word boundaries. */
const bare = (words: string): string =>
  words
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\p{P}\p{Z}\p{C}\p{DI}\s`´]/gu, '');

const holds = (law: (grounding: Grounding, rows: readonly ResultRow[]) => void): void =>
  fc.assert(
    fc.property(question, (grounding) => law(grounding, ground(grounding))),
    { numRuns: shortOrLong(250, 1_000) },
  );

const utteranceOf = ({ transcript }: Grounding, row: ResultRow) => transcript[row.quote_location?.index ?? -1];

describe('grounding: laws for arbitrary answers', () => {
  it('every accepted quote is in the transcript, said by a speaker that fits the pattern', () =>
    holds((grounding, rows) => {
      for (const row of rows.filter(({ name }) => name !== undefined)) {
        const utterance = utteranceOf(grounding, row);
        expect(utterance?.text).to.include(row.quote);
        expect(row.quote_location).to.include({ start: utterance?.start, end: utterance?.end });
        const own = row.pattern === 'self_introduction' || row.pattern === 'sign_off';
        expect(utterance?.speaker_id === row.speaker_id).to.equal(own);
      }
    }));

  it('every accepted quote is the proposed one and contains the name', () =>
    holds((grounding, rows) => {
      for (const { speaker_id, name, quote } of rows)
        if (name !== undefined) {
          const proposed = grounding.proposals.filter((proposal) => proposal.speaker_id === speaker_id);
          expect(proposed.map((proposal) => bare(proposal.quote ?? ''))).to.include(bare(quote ?? ''));
          expect(bare(quote ?? '')).to.include(bare(name));
        }
    }));

  it('every accepted role quote is the speaker’s own words', () =>
    holds((grounding, rows) => {
      for (const { speaker_id, role_accepted, role_quote = '', role_quote_location } of rows)
        if (role_accepted === true) {
          const utterance = grounding.transcript[role_quote_location?.index ?? -1];
          expect(utterance?.speaker_id).to.equal(speaker_id);
          expect(utterance?.text).to.include(role_quote);
          expect(bare(role_quote)).to.not.equal('');
        }
    }));

  it('no accepted name is stored for another speaker or accepted for two', () =>
    holds((grounding, rows) => {
      const accepted = rows.flatMap(({ speaker_id, name }) => (name === undefined ? [] : [{ speaker_id, name }]));
      for (const one of accepted)
        for (const other of [...accepted, ...grounding.speakers])
          if (one.speaker_id !== other.speaker_id) expect(one.name).to.not.equal(other.name);
    }));

  it('every proposal about a target has one row with the fields that belong together, and every target has a row', () =>
    holds((grounding, rows) => {
      const targets = new Set(grounding.target_speaker_ids);
      expect(new Set(rows.map(({ speaker_id }) => speaker_id))).to.deep.equal(targets);
      const about = grounding.proposals.filter(({ speaker_id }) => targets.has(speaker_id));
      const unanswered = [...targets].filter((target) => !about.some(({ speaker_id }) => speaker_id === target));
      expect(rows).to.have.length(about.length + unanswered.length);
      for (const row of rows) {
        const [name, role] = [row.name !== undefined, row.role_accepted === true];
        const fields = [
          'speaker_id',
          'video_id',
          ...(name ? ['name', 'quote', 'pattern', 'quote_location'] : ['reason']),
        ];
        const roles = role ? ['role', 'role_quote', 'role_quote_location'] : ['role_reason'];
        expect(row).to.have.all.keys(fields.concat(grounding.infer_roles ? ['role_accepted', ...roles] : []));
        const stored: unknown = JSON.parse(JSON.stringify(row));
        expect(ResultRow.decode(stored)).to.deep.equal(E.right(row));
      }
    }));
});
