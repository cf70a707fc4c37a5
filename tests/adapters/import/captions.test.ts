import { zipSync } from 'fflate';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { describeError } from '../../../adapters/import/import-text.js';
import { readDocument, type ReadDocument } from '../../../adapters/import/read-document.js';
import { allOf, contentOf, unknown } from './content.js';
import { faultOf } from './providers.js';
import { left, right } from './support.js';

describe('transcripts in plain text', () => {
  it('may have heads without a name: in the style of Otter nobody speaks, in the style of Rev the same person', async () => {
    expect(allOf('Ann Quill  0:01\nOne.\n\n0:05\nTwo.\nThree.\n')).to.deep.equal([
      '1-5 Ann Quill: One.',
      '5-6 ?: Two. Three.',
      unknown(1),
    ]);
    expect(allOf('Talk\n\nAnn Quill: (00:01)\nOne.\n\n(00:05):\nTwo.\n\nSpeaker 2 (01:02:07):\n')).to.deep.equal([
      '1-5 Ann Quill: One.',
      '5-3727 Ann Quill: Two.',
      '1 caption without text',
      '1 line before the first speaker',
    ]);
    expect(allOf('[00:01.5] 田中 太郎: One.\n[00:02 - 00:04] and two\n[00:09] Speaker 1: No.')).to.deep.equal([
      '1.5-2 田中 太郎: One.',
      '2-4 田中 太郎: and two',
      '9-10 #0: No.',
    ]);
  });

  it('keep text that is said twice', async () => {
    expect(allOf('[00:01] Yes\n[00:02] Yes I do')).to.deep.equal(['1-2 ?: Yes', '2-3 ?: Yes I do', unknown(2)]);
  });

  it('are not recognised in texts with times that nobody speaks after', async () => {
    for (const text of [
      'The meeting (10:30):\n',
      'Opening  10:30\nLunch  12:00\nEnd  14:00',
      'We met at\n\n(10:30): hello',
    ])
      expect(await faultOf(text), text).to.match(/^the format is not recognised/);
  });
});

const word = (...paragraphs: string[]): Uint8Array => {
  const body = paragraphs.map((one) => `<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr>${one}</w:p>`).join('');
  const xml = `<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`;
  return zipSync({ 'word/document.xml': Buffer.from(xml), 'word/styles.xml': Buffer.from('<a/>') });
};
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

describe('Word documents', () => {
  const readWord = (...paragraphs: string[]): E.Either<string, ReadDocument> =>
    E.mapLeft(describeError)(readDocument([word(...paragraphs)]));

  it('are transcripts of Teams also if name, time and text are in paragraphs of their own', () => {
    const paragraphs = ['Ann ', 'Zoë &amp; Bo   1:02:03', 'Hi', '', 'there.', 'Max   1:02:05', 'Yes.'].map(run);
    expect(contentOf(right(readWord(...paragraphs)).imported)).to.deep.equal([
      '3723-3725 Zoë & Bo: Hi there.',
      '3725-3726 Max: Yes.',
    ]);
    const earlier = ['0:0:1.5 --&gt; 0:0:2.0', 'Ann', 'Hi.', '0:0:3.0 --&gt; 0:0:4.0', 'Max', 'Yes.'].map(run);
    expect(contentOf(right(readWord(...earlier)).imported)).to.deep.equal(['1.5-2 Ann: Hi.', '3-4 Max: Yes.']);
  });

  it('are named if they are no transcript', () => {
    expect(left(readWord(run('Dear all,'), run('we meet at 10:30.')))).to.match(
      /^a Word document: the format is not recognised/,
    );
  });
});

const tt = (body: string, attributes = ''): string =>
  `<tt xmlns="http://www.w3.org/2006/10/ttaf1" xmlns:ttp="p" xmlns:ttm="m" ${attributes}><head/><body>${body}</body></tt>`;

describe('TTML', () => {
  it('has times as frames, ticks and offsets, durations, and times of what is around', async () => {
    const body = [
      '<div begin="10s"><p begin="00:00:01:05" dur="500ms">Ann: One</p></div>',
      '<div begin="00:01:00" end="1.5m"><p>Bob: Two</p></div>',
      '<p begin="2m" end="3750000t">Ann:\n   <span>Three</span></p>',
      '<p begin="0.1h">Bob: Four</p><p begin="370s" dur="20f">Ann: Five</p><p> </p>',
    ].join('');
    expect(allOf(tt(body, 'ttp:frameRate="25" ttp:tickRate="30000"'))).to.deep.equal([
      '11.2-11.7 Ann: One',
      '60-90 Bob: Two',
      '120-125 Ann: Three',
      '360-370 Bob: Four',
      '370-370.8 Ann: Five',
    ]);
    const ntsc = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"';
    expect(allOf(tt('<p begin="30f" end="60f">One</p>', ntsc))).to.deep.equal(['1.001-2.002 ?: One', unknown(1)]);
  });

  it('may have times and agents in spans; what has no time is counted', async () => {
    const body = [
      '<p><span begin="1s" end="2s">One</span> <span begin="2s" end="3s">Two<br/>more</span></p>',
      '<p begin="4s" end="5s"><metadata><ttm:desc>aside</ttm:desc></metadata>Three <span ttm:agent="b">Four</span></p>',
      '<p>Five</p>Six<p begin="00:00:06,5" end="7s"><i>Seven</i></p>',
    ].join('');
    expect(allOf(tt(body))).to.deep.equal([
      '1-2 ?: One',
      '2-3 ?: Two more',
      '4-5 #0: Four',
      '4-5 ?: Three',
      '6.5-7 ?: Seven',
      '1 paragraph without times',
      '1 text outside paragraphs',
      unknown(4),
    ]);
  });

  it('without a paragraph that is shown is refused', async () => {
    expect(await faultOf(tt('<p>One</p>'))).to.equal('the document has no paragraph with text and times');
    expect(await faultOf(tt('<p begin="1s">One</p>', 'ttp:frameRate="0"'))).to.match(/frameRate/);
  });
});

describe('SubStation Alpha', () => {
  const events = (format: string, ...lines: string[]): string =>
    ['[Script Info]', '[Events]', '; a comment', 'nothing', `Format: ${format}`, ...lines].join('\n');

  it('has the columns that its Format line names, overrides and drawings in braces, labels without a name', async () => {
    const text = events(
      'Start, End, Actor, Text',
      'Dialogue: 0:00:01.00,0:00:02.00,,Ann: {\\an8\\c&HFF&}Good,\\hwell {sic}',
      'Dialogue: 0:00:01.50,0:00:02.50,Max Bell,{\\k10}Well,\\nyes',
      'Dialogue: 0:00:03.00,0:00:04.00,,Ann: {\\p1}m 0 0 l 10 10{\\p0}No',
      'Dialogue: soon,0:00:04.00,,Ann: Later',
      'Dialogue: 0:00:05.00,0:00:06.00,,{\\pos(1,2)}',
      'Picture: 0:00:05.00,0:00:06.00,,a.png',
    );
    expect(allOf(text)).to.deep.equal([
      '1-2 Ann: Good, well {sic}',
      '1.5-2.5 Max Bell: Well, yes',
      '3-4 Ann: No',
      '1 Dialogue line without valid times',
      '1 Picture line',
      '1 caption without text',
      '1 drawing',
      '1 line that is no event',
    ]);
  });

  it('is refused without a Format line', async () => {
    expect(await faultOf('[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Hi')).to.match(
      /^3: no Format line/,
    );
  });
});
