import { expect } from 'chai';
import { type KnownWords, loadKnownWords } from '../../adapters/name-model/embedded/reading.js';
import { said, speaker } from '../domain/grounding/cases.js';
import { propose } from '../../adapters/name-model/embedded/propose.js';

describe('embedded name model: evidence', function () {
  this.timeout(60_000);
  let words: KnownWords = { isKnown: () => false, isOrdinary: () => false };
  before(async () => {
    words = await loadKnownWords();
  });

  const namesIn = (...lines: readonly string[]) => {
    const transcript = said(...lines);
    const ids = [...new Set(transcript.map(({ speaker_id }) => speaker_id))].sort((a, b) => a - b);
    const speakers = ids.map((id) => speaker(id, null));
    const { proposals } = propose({ transcript, speakers, target_speaker_ids: ids, infer_roles: false }, words);
    return Object.fromEntries(
      proposals.flatMap(({ speaker_id, name }) => (name === undefined ? [] : [[speaker_id, name]])),
    );
  };

  /** A noisy transcript: a recogniser wrote capitals in the middle of sentences. */
  const slips = '9: We grew In the quarter And margins rose With it.';
  const announced = [
    '0: Our next question comes from Helen Brandt with the bank. Please go ahead.',
    '1: What of margins?',
  ];

  it('keep a surname that occurs once in a clean transcript', () =>
    expect(namesIn(...announced)).to.deep.equal({ 1: 'Helen Brandt' }));

  it('keep only the first name in a noisy transcript', () =>
    expect(namesIn(...announced, slips)).to.deep.equal({ 1: 'Helen' }));

  it('keep a surname that is repeated in a noisy transcript', () =>
    expect(namesIn(...announced, '0: Thank you. Helen Brandt has left us.', slips)).to.deep.equal({
      1: 'Helen Brandt',
    }));

  it('distinguish two people with one first name in a noisy transcript', () => {
    const another = ['0: Our next question comes from Helen Wolfe. Please go ahead.', '2: And of prices?'];
    expect(namesIn(...announced, ...another, slips)).to.deep.equal({ 1: 'Helen Brandt', 2: 'Helen Wolfe' });
  });

  it('drop a name that is used once in a noisy transcript', () => {
    const thanked = ['1: Welcome to all of you.', '0: Thank you, Helen.'];
    expect(namesIn(...thanked)).to.deep.equal({ 1: 'Helen' });
    expect(namesIn(...thanked, slips)).to.deep.equal({});
  });

  it('use the most frequent spelling in a noisy transcript', () => {
    const handed = ['0: I hand over to Christopher Whitfield. Please go ahead.', '1: Sales rose.'];
    const thanked = ['2: Thanks, Chris. Costs fell.', '1: They did.', '3: Thanks, Chris. Good.'];
    expect(namesIn(...handed, ...thanked, slips)).to.deep.equal({ 1: 'Chris' });
    expect(namesIn(...handed, ...thanked)).to.deep.equal({ 1: 'Christopher Whitfield' });
  });

  it('do not treat a transcript with broken-off words as noisy', () =>
    expect(namesIn(...announced, slips, '9: And m- margins rose.')).to.deep.equal({ 1: 'Helen Brandt' }));

  it('do not name the reader of a question after its author', () =>
    expect(namesIn('0: Helen Brandt asks about the margins.', '1: Thank you, Helen. They rose.')).to.deep.equal({}));

  it('ignore hesitation and a misspelled preposition', () =>
    expect(
      namesIn(
        '0: Our next question comes form Helen Brandt with the bank.',
        '1: Good morning, this is, uh, actually Daniel here for Helen. What of margins?',
      ),
    ).to.deep.equal({ 1: 'Daniel' }));

  it('accept an unknown word as a name if several people use it', () => {
    const called = ['0: I hand over to Quorvo.', '1: Sales rose.'];
    expect(namesIn(...called)).to.deep.equal({});
    expect(namesIn(...called, '2: Thanks, Quorvo. Costs fell.')).to.deep.equal({ 1: 'Quorvo' });
  });

  it('complete a short form of a name', () =>
    expect(
      namesIn(
        '0: With us are our president, Rodney Whitfield, and others. I hand over to Rod.',
        '1: Thanks. Sales rose.',
      ),
    ).to.deep.equal({ 1: 'Rodney Whitfield' }));

  it('ignore things after a determiner', () =>
    expect(namesIn('0: Let us now move on to the Bill.', '1: It is a good one.')).to.deep.equal({}));

  it('do not combine the names of two people', () => {
    const called = [
      '0: I hand over to Thomas Whitfield. Please go ahead.',
      '1: Thank you, Ian. Sales rose.',
      '0: Our next question comes from Helen Brandt. Please go ahead.',
      '2: Thanks, Thomas. What of margins?',
    ];
    expect(namesIn(...called)).to.deep.equal({ 0: 'Ian', 1: 'Thomas Whitfield', 2: 'Helen Brandt' });
    const unsure = ['1: Thank you, Ian. Sales rose.', ...called.slice(2)];
    expect(namesIn('0: Please go ahead.', ...unsure)).to.deep.equal({ 2: 'Helen Brandt' });
  });

  it('ignore a word that also occurs in lower case in a noisy transcript', () => {
    const answered = [...announced, '2: Ribbon. They rose.', slips];
    expect(namesIn(...answered)).to.deep.equal({});
    expect(namesIn(...answered, '0: We cut the ribbon.')).to.deep.equal({ 1: 'Helen' });
  });

  it('prefer a self-introduction to what others say', () => {
    const called = [
      '0: Good morning. My name is Ian.',
      '1: Thanks, Josh. Sales rose.',
      '0: Well.',
      '1: Thank you, Josh. Costs fell.',
    ];
    expect(namesIn(...called)).to.deep.equal({ 0: 'Ian' });
    expect(namesIn('0: Good morning.', ...called.slice(1))).to.deep.equal({ 0: 'Josh' });
  });

  const openedBy = (line: string) => [line, '1: Thanks. Sales rose.', '0: Prices fell.', '1: Yes.'];

  it('find the full name elsewhere if others use a part of it', () => {
    const later = '0: Rodney Whitfield has told us all about the plant.';
    expect(namesIn(...openedBy('0: I hand over to Rod.'), later)).to.deep.equal({ 1: 'Rodney Whitfield' });
    expect(namesIn(...openedBy('0: Mr. Whitfield, you have the floor.'), later)).to.deep.equal({
      1: 'Rodney Whitfield',
    });
    expect(namesIn(...openedBy('0: I hand over to Rod.'), later, slips)).to.deep.equal({ 1: 'Rod' });
  });

  it('find no full name if several people fit, unless the others are speakers themselves', () => {
    const two = '0: Rodney Whitfield and Rodney Castellane have told us all about the plant.';
    const called = [...openedBy('0: I hand over to Rod.'), two];
    expect(namesIn(...called)).to.deep.equal({ 1: 'Rod' });
    const another = [
      '0: Our next question comes from Rodney Castellane. Please go ahead.',
      '2: What of margins?',
      '1: They rose.',
      '3: Thanks, Rod.',
    ];
    expect(namesIn(...called, ...another)).to.deep.equal({ 1: 'Rodney Whitfield', 2: 'Rodney Castellane' });
  });

  it('keep a common surname that occurs once in a noisy transcript', () => {
    const usual = announced.map((line) => line.replace('Brandt', 'Nelson'));
    expect(namesIn(...usual, slips)).to.deep.equal({ 1: 'Helen Nelson' });
    expect(namesIn(...usual, '0: He had her in a nelson.', slips)).to.deep.equal({ 1: 'Helen' });
  });

  it('recognise names and cues with a stutter', () => {
    expect(namesIn('0: I hand over to R-Rebecca Whitfield.', '1: Sales rose.')).to.deep.equal({
      1: 'Rebecca Whitfield',
    });
    expect(namesIn('0: Th-this is Rebecca Whitfield speaking.', '1: Yes.')).to.deep.equal({ 0: 'Rebecca Whitfield' });
  });
});
