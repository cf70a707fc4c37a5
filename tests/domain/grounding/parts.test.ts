import { expect } from 'chai';
import { findQuote, spokenUtterances, withoutConflicts } from '../../../domain/grounding/ground.js';
import { isPersonName, tidyName } from '../../../domain/grounding/person-name.js';
import { replaceLookalikes, mixesScripts } from '../../../domain/grounding/folded-words.js';
import { speakerId } from '../../support/values.js';
import { about1, grounding, said } from './cases.js';

describe('grounding: position of a quote', () => {
  const utterances = spokenUtterances(
    said('0: a', '0: b', '1: c', '2: …', '0: d', '3: e', '4: f'),
    new Set([speakerId(4)]),
  );

  it('considers the previous and next turn, without empty and synthetic utterances', () =>
    expect(utterances.map(({ index, words, before, after }) => [index, words, before, after])).to.deep.equal([
      [0, ['a'], null, 1],
      [1, ['b'], null, 1],
      [2, ['c'], 0, 0],
      [4, ['d'], 1, 3],
      [5, ['e'], 0, null],
    ]));

  it('comes with the quote as given, or as spelled in the transcript', () => {
    const quotesOf = (quote: string, ...lines: readonly string[]) =>
      findQuote(quote, spokenUtterances(said(...lines), new Set())).map((passage) => passage.quote);
    expect(quotesOf('Ada, hi.', '0: Ada, hi. There', '1: No.', '2: ADA HI')).to.deep.equal(['Ada, hi.', 'ADA HI']);
    expect(quotesOf('', '0: Ada')).to.deep.equal([]);
    expect(quotesOf('Ada hi', '0: Ada')).to.deep.equal([]);
  });
});

describe('grounding: a name', () => {
  it('is normalized', () => {
    const cases = [
      ['  Ada \n  Lovelace ', 'Ada Lovelace'],
      ['A\u200bd\u00ada', 'Ada'],
      ['Ａｄａ', 'Ada'],
      ['Ada\u00a0Lovelace', 'Ada Lovelace'],
    ] as const;
    for (const [name, tidied] of cases) expect(tidyName(name)).to.equal(tidied);
  });

  it('has at most a hundred characters and ten words, and letters', () => {
    const [ten, eleven] = [10, 11].map((count) => Array.from({ length: count }, () => 'Ada').join(' '));
    expect([ten, eleven].map((name) => isPersonName(name ?? ''))).to.deep.equal([true, false]);
    expect([`A${'b'.repeat(99)}`, `A${'b'.repeat(100)}`].map(isPersonName)).to.deep.equal([true, false]);
    expect(["''", '··', 'Ada \ud800'].map(isPersonName)).to.deep.equal([false, false, false]);
  });

  it('is not only crosses', () => {
    for (const name of ['xx', 'XXX']) expect(isPersonName(name), name).to.equal(false);
    for (const name of ['xx max', 'max', 'xavier', 'marx']) expect(isPersonName(name), name).to.equal(true);
  });

  it('may contain a capitalized function word', () => {
    for (const name of ['An Nguyen', 'Nguyen An']) expect(isPersonName(name), name).to.equal(true);
    for (const name of ['an Nguyen', 'Nguyen an']) expect(isPersonName(name), name).to.equal(false);
  });

  it('is in one script, or in scripts that occur together', () => {
    const kept = ['ada', 'ада', 'αδα', 'ⲁⲇⲁ', 'ադա', 'ადა', 'ᎠᏓ', 'ꓮꓓꓮ', '𐌰𐌳𐌰', '𐐀𐐂'].concat(
      ['ada 王', 'ada ひ', 'ada カ', 'ada 王ひカ', 'ada ㄅ王', 'ada 김王', '王明', 'ひカ', '김', 'ʼada'],
      ['สมชาย', 'محمد', 'a·b', ''],
    );
    const mixed = [
      'adа',
      'αda',
      'αд',
      'ada ㄅひ',
      'ada 김ひ',
      'ada 김ㄅ',
      'ada สม',
      'ада 王',
      'ada د',
      'د ada',
      '1аa2',
    ];
    for (const name of kept) expect(mixesScripts(name), name).to.equal(false);
    for (const name of mixed) expect(mixesScripts(name), name).to.equal(true);
    for (const letter of ['а', 'α', 'ⲁ', 'ա', 'ა', 'Ꭰ', 'ꓮ', '𐌰', '𐐀'])
      for (const name of [`a${letter}`, `${letter}a`, `${letter}王`, `王${letter}`])
        expect(mixesScripts(name), name).to.equal(true);
  });

  it('equals another with look-alike letters', () => {
    expect(replaceLookalikes('аdа')).to.equal('ada');
    expect(replaceLookalikes('zoe')).to.equal('zoe');
    expect(replaceLookalikes('рорω')).to.equal('popω');
  });
});

describe('grounding: conflicting names', () => {
  const accepted = (id: number, name: string) => ({
    speaker_id: speakerId(id),
    verdict: {
      name,
      quote: name,
      pattern: 'self_introduction' as const,
      quote_location: { index: 0, start: 0, end: 5 },
    },
  });
  const outcome = (...names: readonly (readonly [number, string])[]) =>
    withoutConflicts(names.map(([id, name]) => accepted(id, name))).map((verdict) => 'name' in verdict);

  it('are two for one speaker, unless the shorter is part of the longer, in any order', () => {
    expect(outcome([1, 'Ada'], [1, 'Ada Lovelace'])).to.deep.equal([true, true]);
    expect(outcome([1, 'Ada Lovelace'], [1, 'Ada'])).to.deep.equal([true, true]);
    expect(outcome([1, 'Ada Lovelace'], [1, 'Ada Byron'])).to.deep.equal([false, false]);
    expect(outcome([1, 'Ada Byron'], [1, 'Ada King Byron'], [1, 'Byron Ada'])).to.deep.equal([true, true, true]);
    expect(outcome([1, 'Ada'], [1, 'Ada Mary Lovelace'], [1, 'Ada Byron'])).to.deep.equal([false, false, false]);
    expect(outcome([1, 'Ada'], [1, 'Ada Lovelace'], [1, 'Lovelace Bob'])).to.deep.equal([false, false, false]);
  });
});

describe('grounding: proposals of a model', () => {
  it('may have blanks around the quote', () => {
    const own = said('0: Yes?', '1: Hi, I am Ada.');
    expect(grounding(own, [about1({ name: ' Ada ', quote: ' I am Ada. ' })])[0]).to.include({
      name: 'Ada',
      quote: 'I am Ada.',
    });
    const roles = grounding(own, [about1({ role: ' AGENT ', role_quote: '  Hi, ' })], { infer_roles: true });
    expect(roles[0]).to.include({ role: 'agent', role_quote: 'Hi,' });
  });
});
