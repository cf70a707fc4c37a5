import { expect } from 'chai';
import { about1, expectReason, grounding, said, speaker, verdict } from './cases.js';
import { speakerId } from '../../support/values.js';

const meeting = said(
  '0: Welcome, all. Our first guest is Maria Ortega.',
  '1: Thank you. I am Maria Ortega, and I build bridges.',
  '2: And Lena Fox is on holiday.',
  '0: Let us begin.',
  '1: Gladly. This was Maria.',
);
const own = { name: 'Maria Ortega', quote: 'I am Maria Ortega', pattern: 'self_introduction' };

describe('grounding: names', () => {
  it('are accepted with their quote, pattern and location', () =>
    expect(grounding(meeting, [about1(own)])).to.deep.equal([
      { speaker_id: 1, video_id: 'v1', ...own, quote_location: { index: 1, start: 5, end: 10 } },
    ]));

  it('are accepted in each pattern with the right speaker', () => {
    const fitting = [
      ['self_introduction', 'Maria', 'I am Maria Ortega'],
      ['sign_off', 'Maria', 'This was Maria.'],
      ['introduced_by_other', 'Maria Ortega', 'Our first guest is Maria Ortega.'],
      ['addressed_by_other', 'Maria Ortega', 'Our first guest is Maria Ortega.'],
      ['third_party_mention', 'Lena Fox', 'Lena Fox is on holiday'],
    ] as const;
    for (const [pattern, name, quote] of fitting) expect(verdict(meeting, { name, quote, pattern })).to.equal(name);
  });

  it('are rejected if the speaker of the quote does not fit the pattern', () => {
    const guest = 'Our first guest is Maria Ortega.';
    expectReason(meeting, { name: 'Maria Ortega', quote: guest, pattern: 'self_introduction' }, 'wrong_speaker');
    expectReason(meeting, { name: 'Maria Ortega', quote: guest, pattern: 'sign_off' }, 'wrong_speaker');
    for (const pattern of ['introduced_by_other', 'addressed_by_other', 'third_party_mention'])
      expectReason(meeting, { ...own, pattern }, 'wrong_speaker');
    const far = said('0: Ask Kim Park.', '2: I will.', '1: Hello.');
    for (const pattern of ['introduced_by_other', 'addressed_by_other'])
      expectReason(far, { name: 'Kim Park', quote: 'Ask Kim Park', pattern }, 'wrong_speaker');
  });

  it('have their pattern parsed leniently, or derived if missing or unknown', () => {
    const patternOf = (pattern?: string, quote = own.quote) =>
      grounding(meeting, [about1({ ...own, quote, ...(pattern === undefined ? {} : { pattern }) })])[0]?.pattern;
    expect(patternOf('Self-Introduction')).to.equal('self_introduction');
    expect(patternOf()).to.equal('self_introduction');
    expect(patternOf('a hunch')).to.equal('self_introduction');
    expect(patternOf('a hunch', 'first guest is Maria Ortega')).to.equal('addressed_by_other');
    expectReason(said('0: Kim Park.', '2: Yes.', '1: No.'), { name: 'Kim Park', quote: 'Kim Park' }, 'wrong_speaker');
  });

  it('use the fitting passage among several, also in turns of several utterances', () => {
    const thanks = said('0: Thanks, Kim.', '2: Sure.', '0: So.', '0: Thanks, Kim.', '0:  ', '1: You are welcome.');
    const [row] = grounding(thanks, [about1({ name: 'Kim', quote: 'Thanks, Kim.', pattern: 'addressed_by_other' })]);
    expect(row?.quote_location).to.deep.equal({ index: 3, start: 15, end: 20 });
  });

  it('need a proposal with a name and with a quote from one utterance', () => {
    expect(grounding(meeting, [])).to.deep.equal([{ speaker_id: 1, video_id: 'v1', reason: 'no_proposal' }]);
    expectReason(meeting, { quote: own.quote, pattern: own.pattern }, 'no_proposal');
    expectReason(meeting, { ...own, name: '  ' }, 'no_proposal');
    for (const quote of ['', ' … ', 'I am Maria Ortega, honestly', 'am Maria Orte', 'holiday. Let us begin'])
      expectReason(meeting, { ...own, quote }, 'quote_not_found');
    expectReason(meeting, { name: own.name, pattern: own.pattern }, 'quote_not_found');
  });

  it('must be in the quote as whole words', () => {
    expectReason(meeting, { ...own, quote: 'I build bridges' }, 'name_not_in_quote');
    expectReason(meeting, { ...own, name: 'Mari' }, 'name_not_in_quote');
    expectReason(meeting, { ...own, name: 'Ortega Maria' }, 'name_not_in_quote');
    const possessive = said("0: It is Anna's turn.", '1: Thanks.');
    expect(verdict(possessive, { name: 'Anna', quote: "It is Anna's turn" })).to.equal('Anna');
  });

  it('are rejected if another speaker’s name looks the same', () => {
    const named = (name: string, id = 2) => ({ speakers: [speaker(id, name)] });
    for (const name of ['maria  ORTEGA', 'Maria-Ortega', 'Маriа Оrtеgа'])
      expect(verdict(meeting, own, named(name))).to.equal('duplicate_name');
    expect(verdict(meeting, own, named('Maria Ortega', 1))).to.equal('Maria Ortega');
    expect(verdict(meeting, own, named('Maria'))).to.equal('Maria Ortega');
  });

  it('are both rejected if two speakers get one name', () => {
    const both = said('1: I am Kim.', '2: I am Kim.');
    const kim = { name: 'Kim', quote: 'I am Kim', pattern: 'self_introduction' };
    const targets = { target_speaker_ids: [speakerId(1), speakerId(2)] };
    const rows = grounding(both, [about1(kim), { ...kim, speaker_id: speakerId(2) }], targets);
    expect(rows.map(({ reason }) => reason)).to.deep.equal(['conflicting_evidence', 'conflicting_evidence']);
    const one = grounding(both, [about1(kim), { ...kim, speaker_id: speakerId(2), quote: 'Kim said' }], targets);
    expect(one.map(({ name, reason }) => name ?? reason)).to.deep.equal(['Kim', 'quote_not_found']);
  });

  it('are both rejected if one speaker gets two different names', () => {
    const host = { name: 'Lena Fox', quote: 'Lena Fox is on holiday', pattern: 'third_party_mention' };
    const reasons = grounding(meeting, [about1(own), about1(host)]).map(({ reason }) => reason);
    expect(reasons).to.deep.equal(['conflicting_evidence', 'conflicting_evidence']);
    const parts = grounding(meeting, [about1(own), about1({ ...own, name: 'Maria' }), about1(own)]);
    expect(parts.map(({ name }) => name)).to.deep.equal(['Maria Ortega', 'Maria', 'Maria Ortega']);
  });

  it('of other speakers are dropped, and each target has a row', () => {
    const rows = grounding(meeting, [{ ...own, speaker_id: speakerId(0) }], {
      target_speaker_ids: [speakerId(2), speakerId(1), speakerId(2)],
    });
    expect(rows.map(({ speaker_id, reason }) => [speaker_id, reason])).to.deep.equal([
      [2, 'no_proposal'],
      [1, 'no_proposal'],
    ]);
  });
});
