import { expect } from 'chai';
import { personName } from '../../../adapters/import/speaker-labels.js';
import { allOf, unknown } from './content.js';
import { readImportBytes } from './parse.js';
import { left } from './support.js';

const refusalOf = (text: string): string => {
  const { line, message } = left(readImportBytes(Buffer.from(text)));
  return `${line === null ? '' : `${line}: `}${message}`;
};

describe('documents in other spellings', () => {
  it('have labels that tools of other languages generated, which are no names', () => {
    const labels = [
      'Sprecher 1|话者1|話者 2|Locuteur 2|Orador 3|Спикер 1|spk_0|S1|화자 1|Mluvčí 1|المتحدث 1|वक्ता 1|Người nói 1|Ομιλητής 1',
      'Cliente 1|Kunde|客户|客服|主持人|不明|未知|알 수 없음|Voz 1|speaker one|Sprecher*in 1|Хост|Ведущий|司会者|Unbekannt',
    ].flatMap((list) => list.split('|'));
    expect(labels.filter((label) => personName(label) !== null)).to.deep.equal([]);
    const names = ['Clienta Reed', 'Kundera', 'Voz Ramos', 'One Okello', '主持太郎', '未知子'];
    expect(names.filter((name) => personName(name) === null)).to.deep.equal([]);
  });

  it('are one document if NaN is in a single line, and a list if it is in lines', () => {
    expect(allOf('{"segments":[{"start":0,"end":1,"text":"Hi.","x":NaN}],"language":"en"}')).to.deep.equal([
      '0-1 ?: Hi.',
      '1 NaN in the JSON: read as null',
      unknown(1),
    ]);
    const word = (start: number, conf: string): string =>
      `{"result":[{"conf":${conf},"start":${start},"end":${start + 1},"word":"w${start}"}]}\r\n`;
    expect(allOf(`${word(1, 'NaN')}\r\n${word(5, '1.0')}`)).to.deep.equal([
      '1-2 ?: w1',
      '5-6 ?: w5',
      '1 NaN in the JSON: read as null',
      unknown(2),
    ]);
    expect(refusalOf('{"segments":[{"start":NaN,"end":1,"text":"Hi."}]}')).to.match(
      /^NaN in the JSON: read as null: the format is not recognised/,
    );
  });

  it('are truncated if their last line is, although it begins like another', () => {
    const line = '{"result":[{"conf":1.0,"start":1,"end":2,"word":"hi"}]}';
    expect(refusalOf(`${line}\n${line.slice(0, 25)}`)).to.match(/^2: the JSON is incomplete/);
  });

  it('have the same label on two channels, which are two speakers, or the same name, which is one', () => {
    const row = (channel: number, start: number, label: string): string =>
      `SPEAKER f ${channel} ${start} 1 <NA> <NA> ${label} <NA> <NA>\n`;
    expect(allOf(row(1, 0, 'S1') + row(2, 2, 'S1'))).to.deep.equal(['0-1 #0', '2-3 #1']);
    expect(allOf(row(1, 0, 'Lena') + row(2, 2, 'Lena'))).to.deep.equal(['0-1 Lena', '2-3 Lena']);
  });

  it('have utterances of Deepgram, but an empty list of words', () => {
    const utterances = [{ start: 1, end: 2, transcript: 'Hi there.', speaker: 0, words: [] }];
    const results = { channels: [{ alternatives: [{ words: [] }] }], utterances };
    expect(allOf(JSON.stringify({ results }))).to.deep.equal(['1-2 #0: Hi there.']);
  });

  it('are tables of other things', () => {
    expect(refusalOf('a,b,c,d,e,f,g,h\n1,2,3,4,5,6,7,8\n')).to.match(/^the format is not recognised/);
    const row = 'v,1.00,.1,.1,.3,.3,SPEAKING_AUDIBLE,v_a,';
    expect(refusalOf(`${row}-1.25\n${row}0.5\n`)).to.equal('1: score -1.25 is not between 0 and 1');
  });
});
