import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { formats } from '../../../adapters/import/all-formats.js';
import { describeError } from '../../../adapters/import/import-text.js';
import { parseDocument } from '../../../adapters/import/parse-json.js';
import { readDocument, type ReadOptions } from '../../../adapters/import/read-document.js';
import { Tally } from '../../../adapters/import/format.js';
import { contentOf, countedOf, countsOf, fixture, fixtureText, right, textOf } from './support.js';
import { personName } from '../../../adapters/import/speaker-labels.js';

const documents = ['imports', 'providers'].flatMap((folder) =>
  readdirSync(fixture(folder))
    .filter((name) => !/^LICENCE|^README/.test(name))
    .map((name) => `${folder}/${name}`),
);

/**
 * What comes out of each document of `tests/fixtures`, a paragraph each: its name, format and counts; who says what, or
 * where faces are, at most twelve lines of 120 characters; what is left out or noted.
 */
const expected = fixtureText('imported-samples.txt').trimEnd().split('\n\n');

const outcomeOf = (bytes: Uint8Array, options: ReadOptions = { fps: 25 }): ReadonlyArray<string> => {
  const read = readDocument([bytes], options);
  if (E.isLeft(read)) return [`refused: ${describeError(read.left)}`];
  const { format, imported } = read.right;
  const counted = countedOf(imported).map((line) => `left out or noted: ${line}`);
  return [`${format}, ${countsOf(read.right)}`, ...contentOf(imported).slice(0, 12), ...counted];
};

describe('samples of documents', () => {
  for (const paragraph of expected) {
    const [name = ''] = paragraph.split(': ');
    it(`are read as they are meant: ${name}`, () => {
      const [first = '', ...lines] = outcomeOf(readFileSync(fixture(name)));
      expect([`${name}: ${first}`, ...lines.map((line) => line.slice(0, 120))].join('\n')).to.equal(paragraph);
    });
  }

  it('are all in the list', () =>
    expect(expected.map((paragraph) => paragraph.split(': ')[0])).to.have.members(documents));

  it('are recognised by one format only', () => {
    for (const file of documents.filter((name) => /\.(?:json|ndjson|json3)$/.test(name))) {
      const document = parseDocument(fixtureText(file), new Tally());
      const names = formats.flatMap((format) =>
        format.reads === 'json' && format.recognises(document) ? [format.name] : [],
      );
      expect(new Set(names).size, `${file}: ${names.join()}`).to.equal(/23b/.test(file) ? 0 : 1);
    }
  });
});

/** Documents that are written in a way that is easily read wrongly, each with what comes out of it. */
const Spelling = t.intersection([
  t.type({ title: t.string, document: t.string, outcome: t.array(t.string) }),
  t.partial({ options: t.partial({ fps: t.number, recordings: t.array(t.string) }) }),
]);
const spellings = right(t.array(Spelling).decode(JSON.parse(fixtureText('import-spellings.json'))));

describe('documents in other spellings', () => {
  for (const { title, document, options, outcome } of spellings)
    it(title, () => expect(outcomeOf(Buffer.from(document), options)).to.deep.equal(outcome));

  for (const name of ['google-video-faces.json', 'google-speech-v2.json', 'google-speech.json'])
    it(`have the names of Google's Python clients: ${name}`, () => {
      const text = textOf(name);
      const snake = text.replaceAll(/"(\w+)":/g, (key) =>
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      );
      expect(snake).not.to.equal(text);
      expect(outcomeOf(Buffer.from(snake))).to.deep.equal(outcomeOf(Buffer.from(text)));
    });
});

describe('labels of speakers', () => {
  it('that tools generated, in any language, are no names', () => {
    const labels = [
      'Sprecher 1|话者1|話者 2|Locuteur 2|Orador 3|Спикер 1|spk_0|S1|화자 1|Mluvčí 1|المتحدث 1|वक्ता 1|Người nói 1|Ομιλητής 1',
      'Cliente 1|Kunde|客户|客服|主持人|不明|未知|알 수 없음|Voz 1|speaker one|Sprecher*in 1|Хост|Ведущий|司会者|Unbekannt',
    ].flatMap((list) => list.split('|'));
    expect(labels.filter((label) => personName(label) !== null)).to.deep.equal([]);
    const names = ['Clienta Reed', 'Kundera', 'Voz Ramos', 'One Okello', '主持太郎', '未知子'];
    expect(names.filter((name) => personName(name) === null)).to.deep.equal([]);
  });
});
