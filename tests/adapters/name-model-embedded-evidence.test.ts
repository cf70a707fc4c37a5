import { expect } from 'chai';
import { loadKnownNames } from '../../adapters/name-model/embedded/known-names.js';
import type { KnownName } from '../../adapters/name-model/embedded/reading.js';
import { propose } from '../../adapters/name-model/embedded/propose.js';
import { said, speaker } from '../domain/grounding/cases.js';

describe('embedded name model: evidence', function () {
  this.timeout(60_000);
  let isKnown: KnownName = () => false;
  before(async () => {
    isKnown = await loadKnownNames();
  });

  const namesIn = (...lines: readonly string[]) => {
    const transcript = said(...lines);
    const ids = [...new Set(transcript.map(({ speaker_id }) => speaker_id))].sort((a, b) => a - b);
    const speakers = ids.map((id) => speaker(id, null));
    const { proposals } = propose({ transcript, speakers, target_speaker_ids: ids, infer_roles: false }, isKnown);
    return Object.fromEntries(
      proposals.flatMap(({ speaker_id, name }) => (name === undefined ? [] : [[speaker_id, name]])),
    );
  };

  /** What a recogniser makes of sentences that it does not see the beginning of. */
  const slips = '9: We grew In the quarter And margins rose With it.';
  const announced = [
    '0: Our next question comes from Helen Brandt with the bank. Please go ahead.',
    '1: What of margins?',
  ];

  it('take a surname that is heard once from a clean transcript', () =>
    expect(namesIn(...announced)).to.deep.equal({ 1: 'Helen Brandt' }));

  it('take the first name alone from a noisy one', () =>
    expect(namesIn(...announced, slips)).to.deep.equal({ 1: 'Helen' }));

  it('take a surname that a noisy one repeats', () =>
    expect(namesIn(...announced, '0: Thank you. Helen Brandt has left us.', slips)).to.deep.equal({
      1: 'Helen Brandt',
    }));

  it('tell two people of one first name apart in a noisy one', () => {
    const another = ['0: Our next question comes from Helen Wolfe. Please go ahead.', '2: And of prices?'];
    expect(namesIn(...announced, ...another, slips)).to.deep.equal({ 1: 'Helen Brandt', 2: 'Helen Wolfe' });
  });

  it('take no name from a noisy one that is said to somebody but once', () => {
    const thanked = ['1: Welcome to all of you.', '0: Thank you, Helen.'];
    expect(namesIn(...thanked)).to.deep.equal({ 1: 'Helen' });
    expect(namesIn(...thanked, slips)).to.deep.equal({});
  });

  it('take the spelling that a noisy one uses most', () => {
    const handed = ['0: I hand over to Christopher Whitfield. Please go ahead.', '1: Sales rose.'];
    const thanked = ['2: Thanks, Chris. Costs fell.', '1: They did.', '3: Thanks, Chris. Good.'];
    expect(namesIn(...handed, ...thanked, slips)).to.deep.equal({ 1: 'Chris' });
    expect(namesIn(...handed, ...thanked)).to.deep.equal({ 1: 'Christopher Whitfield' });
  });

  it('do not see a recogniser at work where words are broken off', () =>
    expect(namesIn(...announced, slips, '9: And m- margins rose.')).to.deep.equal({ 1: 'Helen Brandt' }));

  it('give whoever reads out a question no name of who sent it in', () =>
    expect(namesIn('0: Helen Brandt asks about the margins.', '1: Thank you, Helen. They rose.')).to.deep.equal({}));

  it('hear past hesitation and a misspelt preposition', () =>
    expect(
      namesIn(
        '0: Our next question comes form Helen Brandt with the bank.',
        '1: Good morning, this is, uh, actually Daniel here for Helen. What of margins?',
      ),
    ).to.deep.equal({ 1: 'Daniel' }));

  it('take a word that nobody knows for a name when several people use it', () => {
    const called = ['0: I hand over to Quorvo.', '1: Sales rose.'];
    expect(namesIn(...called)).to.deep.equal({});
    expect(namesIn(...called, '2: Thanks, Quorvo. Costs fell.')).to.deep.equal({ 1: 'Quorvo' });
  });

  it('find the full name of a short one', () =>
    expect(
      namesIn(
        '0: With us are our president, Rodney Whitfield, and others. I hand over to Rod.',
        '1: Thanks. Sales rose.',
      ),
    ).to.deep.equal({ 1: 'Rodney Whitfield' }));

  it('take nothing that is pointed at', () =>
    expect(namesIn('0: Let us now move on to the Bill.', '1: It is a good one.')).to.deep.equal({}));

  it('take no name of another for a second name of whom it was said to', () => {
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

  it('take a word that a noisy one has small as well for no name', () => {
    const answered = [...announced, '2: Ribbon. They rose.', slips];
    expect(namesIn(...answered)).to.deep.equal({});
    expect(namesIn(...answered, '0: We cut the ribbon.')).to.deep.equal({ 1: 'Helen' });
  });

  it('believe who says what his name is more than those who call him otherwise', () => {
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

  it('find the full name that is said elsewhere, of whom others call by a part of it', () => {
    const later = '0: Rodney Whitfield has told us all about the plant.';
    expect(namesIn(...openedBy('0: I hand over to Rod.'), later)).to.deep.equal({ 1: 'Rodney Whitfield' });
    expect(namesIn(...openedBy('0: Mr. Whitfield, you have the floor.'), later)).to.deep.equal({
      1: 'Rodney Whitfield',
    });
    expect(namesIn(...openedBy('0: I hand over to Rod.'), later, slips)).to.deep.equal({ 1: 'Rod' });
  });

  it('find no full name where several are called so, unless the others speak, too', () => {
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

  it('take a very usual surname that a noisy one has once', () => {
    const usual = announced.map((line) => line.replace('Brandt', 'Nelson'));
    expect(namesIn(...usual, slips)).to.deep.equal({ 1: 'Helen Nelson' });
    expect(namesIn(...usual, '0: He had her in a nelson.', slips)).to.deep.equal({ 1: 'Helen' });
  });

  it('hear a name that is begun twice, and cues that are', () => {
    expect(namesIn('0: I hand over to R-Rebecca Whitfield.', '1: Sales rose.')).to.deep.equal({
      1: 'Rebecca Whitfield',
    });
    expect(namesIn('0: Th-this is Rebecca Whitfield speaking.', '1: Yes.')).to.deep.equal({ 0: 'Rebecca Whitfield' });
  });
});
