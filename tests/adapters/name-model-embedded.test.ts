import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import type { NameAnswer } from '../../application/ports/name-model.js';
import { embeddedNameModel } from '../../adapters/name-model/in-threads.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import { speakerId } from '../support/values.js';
import { said, speaker } from '../domain/grounding/cases.js';
import { type KnownWords, loadKnownWords } from '../../adapters/name-model/embedded/reading.js';
import { propose } from '../../adapters/name-model/embedded/propose.js';
import { ground } from '../../domain/grounding/ground.js';
import { shortOrLong } from '../support/long-form.js';
import { right } from './import/support.js';

const call = said(
  '0: thank you for calling larkfield insurance my name is denise how can i help you',
  '1: hi my name is peter quill i lost my policy card',
);

const textOf = (text: string) => ({ speaker_id: speakerId(0), start: 0, end: 1, text });

const question = (transcript: typeof call) => ({
  transcript,
  speakers: [0, 1].map((id) => ({ speaker_id: speakerId(id), name: null })),
  target_speaker_ids: [speakerId(0), speakerId(1)],
  infer_roles: true,
});

describe('embedded name model', function () {
  this.timeout(60_000);
  const threads = startThreads();
  const model = embeddedNameModel(threads);
  after(threads.close);

  const answer = async (transcript: typeof call): Promise<NameAnswer> => {
    const given = await model.infer(question(transcript))();
    if (E.isLeft(given)) throw new Error(given.left.reason);
    return given.right;
  };

  it('estimates the words of a transcript', () => {
    const texts = [' a\u00a0 b\nc  \td', '', 'x'.repeat(450_000), ...Array<string>(20_000).fill(' a b')];
    const words = 26 + 4 + 1 + 2 * 20_000;
    expect(model.estimate(question([...call, ...texts.map(textOf)]))).to.deep.equal({ least: words, most: words });
  });

  it('proposes names and roles with quotes, and counts the words', async () => {
    expect(model.name).to.equal('embedded-rules-1');
    const { proposals, total_tokens } = await answer(call);
    expect(proposals).to.deep.equal([
      {
        speaker_id: 0,
        name: 'Denise',
        quote: 'thank you for calling larkfield insurance my name is denise how can i help you',
        pattern: 'self_introduction',
        role: 'agent',
        role_quote: call[0]?.text,
      },
      {
        speaker_id: 1,
        name: 'Peter Quill',
        quote: 'hi my name is peter quill i lost my policy card',
        pattern: 'self_introduction',
        role: 'customer',
        role_quote: call[1]?.text,
      },
    ]);
    expect(total_tokens).to.equal(26);
  });

  it('processes an utterance of 400,000 characters in parts, and counts each word once', async () => {
    const text = `${'x'.repeat(400_000)} ${'Aa '.repeat(1_000)}my name is peter quill i lost my policy card`;
    const { proposals, total_tokens } = await answer(said(`1: ${text}`));
    expect(proposals.find(({ speaker_id }) => speaker_id === 1)).to.include({ name: 'Peter Quill' });
    expect(total_tokens).to.equal(1_011);
  });
});

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
