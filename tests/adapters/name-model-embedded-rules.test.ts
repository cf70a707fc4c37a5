import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { type KnownWords, loadKnownWords } from '../../adapters/name-model/embedded/reading.js';
import { propose } from '../../adapters/name-model/embedded/propose.js';
import { ground } from '../../domain/grounding/ground.js';
import { said, speaker } from '../domain/grounding/cases.js';
import { shortOrLong } from '../support/long-form.js';
import { speakerId } from '../support/values.js';
import { right } from './import/support.js';

type Lines = readonly string[];
const Lines = t.readonlyArray(t.string);
const OfSpeakers = t.record(t.string, t.string);

/** Transcripts, a line `speaker: text` each, with the names or roles that follow; `stored`: names that speakers have. */
const Cases = t.type({
  cases: t.array(
    t.intersection([
      t.type({ title: t.string, lines: Lines }),
      t.partial({ names: OfSpeakers, roles: OfSpeakers, stored: OfSpeakers }),
    ]),
  ),
  /** Introductions by name, also in lower case without punctuation. */
  introductions: t.record(t.string, Lines),
  introductions_with_capitals: t.record(t.string, Lines),
  /** What somebody says to be without being called so. */
  states: Lines,
  other_sentences: Lines,
  no_names_as_written: Lines,
});
const file = new URL('../../../tests/fixtures/name-cases.json', import.meta.url);
const cases = right(Cases.decode(JSON.parse(readFileSync(file, 'utf8'))));

const uncased = (text: string): string => text.toLowerCase().replace(/[.,!?]/g, '');

describe('embedded name model: rules', function () {
  this.timeout(60_000);
  let words: KnownWords = { isKnown: () => false, isOrdinary: () => false };
  before(async () => {
    words = await loadKnownWords();
  });

  /** The grounded proposals for all speakers: names and roles by speaker. */
  const foundIn = (lines: Lines, stored: Readonly<Record<string, string>> = {}) => {
    const transcript = said(...lines);
    const ids = [...new Set(transcript.map(({ speaker_id }) => speaker_id))].sort((a, b) => a - b);
    const question = { target_speaker_ids: ids, infer_roles: true, transcript };
    const speakers = ids.map((id) => speaker(id, stored[id] ?? null));
    const proposals = propose({ ...question, speakers }, words);
    const rows = ground({ ...question, video_id: null, speakers, proposals });
    const refused = rows.filter(({ reason }) => reason !== undefined && reason !== 'no_proposal');
    expect(refused, 'proposals that grounding refuses').to.deep.equal([]);
    const by = (value: (row: (typeof rows)[number]) => string | undefined) =>
      Object.fromEntries(rows.flatMap((row) => (value(row) === undefined ? [] : [[row.speaker_id, value(row)]])));
    return { names: by(({ name }) => name), roles: by(({ role }) => role) };
  };
  const namesIn = (...lines: Lines) => foundIn(lines).names;

  for (const { title, lines, stored, ...expected } of cases.cases)
    it(title, () => expect(foundIn(lines, stored)).to.deep.include(expected));

  it('also work without capitals and punctuation', () => {
    const { lines = [], names } =
      cases.cases.find(({ title }) => title === 'name the next speaker by hand-overs') ?? {};
    expect(namesIn(...lines.map((line) => line.replace(/[.,?']/g, '').toLowerCase()))).to.deep.equal(names);
  });

  const aloneAndAmongOthers = (line: string): ReadonlyArray<Lines> => [
    [`0: ${line}`],
    [`0: ${uncased(line)}`],
    ['1: We saw what it was for.', `0: ${line}`, '1: And it was good.'],
  ];

  it('find self-introductions, alone or among other sentences', () => {
    for (const [name, lines] of Object.entries(cases.introductions))
      for (const line of lines.flatMap(aloneAndAmongOthers))
        expect(namesIn(...line), line.join(' / ')).to.deep.equal({ 0: name });
    for (const [name, lines] of Object.entries(cases.introductions_with_capitals))
      for (const line of lines) expect(namesIn(`0: ${line}`), line).to.deep.equal({ 0: name });
  });

  it('do not take what a person is, feels or says of others for a self-introduction', () => {
    const states = cases.states.flatMap((what) => [`I'm ${what}.`, `Hi, I'm ${what}.`, `I'm ${what}. Let's go.`]);
    for (const line of [...states, ...cases.other_sentences].flatMap(aloneAndAmongOthers))
      expect(namesIn(...line), line.join(' / ')).to.deep.equal({});
    for (const line of cases.no_names_as_written) expect(namesIn(`0: ${line}`), line).to.deep.equal({});
  });

  it('propose nothing without evidence, whatever is said', () => {
    const ids = [0, 1, 2, 3].map(speakerId);
    const cues = 'thanks|Thank you|this is|my name is|over to|question from|go ahead|here|the|of'.split('|');
    const parts = "Ada|Bob|Mr.|Ms|Smith|J.|[PII]|王|Minister|A-|Bank|'s|.|,|?|\u200b".split('|');
    const calls = ['hello how can i help you', 'I lost my card', 'What is your name?'];
    const cued = fc.array(fc.constantFrom(...cues, ...parts, ...calls), { maxLength: 12 }).map((all) => all.join(' '));
    const anyText = fc.oneof({ weight: 5, arbitrary: cued }, fc.string({ unit: 'binary' }));
    const question = { speakers: ids.map((id) => speaker(id)), target_speaker_ids: ids, infer_roles: true };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...ids), anyText), { maxLength: 15 }), (lines) => {
        const transcript = lines.map(([speaker_id, text], at) => ({ speaker_id, text, start: at, end: at + 1 }));
        const proposals = propose({ ...question, transcript }, words);
        const rows = ground({ ...question, video_id: null, transcript, proposals });
        expect(rows.map(({ speaker_id }) => speaker_id)).to.deep.equal(ids);
        for (const { reason, role_reason } of rows) {
          expect(reason).to.be.oneOf([undefined, 'no_proposal', 'not_a_person_name', 'conflicting_evidence']);
          expect(role_reason).to.be.oneOf([undefined, 'no_role_proposal']);
        }
      }),
      { numRuns: shortOrLong(200, 1_000) },
    );
  });
});
