import { readFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { describeError } from '../../../adapters/import/import-text.js';
import { readDocument, type ReadDocument } from '../../../adapters/import/read-document.js';
import { contentOf, countedOf, found, readFound } from './content.js';
import { faultOf, readText } from './providers.js';
import { left, right } from './support.js';

const talk = [
  '1-2.4 Ann Quill: Good morning, everyone.',
  '4-4.9 Max Bell: Hi Ann.',
  '6.5-7.7 Ann Quill: Shall we start?',
];
const startsOnly = (end: number): string[] => [
  '1-4 Ann Quill: Good morning, everyone, and, thanks, for, coming, here, today.',
  '4-7 Max Bell: Hi Ann.',
  `7-${end} Ann Quill: Shall we start?`,
];

/** The format of a document, and what it holds. */
const documents: Readonly<Record<string, readonly [format: string, ...content: string[]]>> = {
  'subtitles.sbv': ['sbv', ...talk],
  'subtitles.ass': ['ass', ...talk],
  'subtitles.ssa': ['ass', ...talk],
  'ttml-agents.ttml': ['ttml', ...talk],
  'ttml-imsc.xml': ['ttml', ...talk],
  'text-otter.txt': ['text_transcript', ...startsOnly(8)],
  'text-rev.txt': ['text_transcript', ...startsOnly(8)],
  'text-time-stamps.txt': ['text_transcript', ...startsOnly(8)],
  'teams.docx': ['teams_docx', ...startsOnly(9)],
  'teams-earlier.docx': ['teams_docx', ...talk],
  'segments.stm': ['stm', '1-2.4 Ann: good morning everyone', '4-4.9 Max: hi ann', '6.5-7.7 Ann: shall we start'],
  'words.ctm': ['ctm', '1-2.4 #0: good morning everyone', '4-4.9 #1: hi ann', '6.5-7.7 #0: shall we start'],
  'praat.TextGrid': ['praat_textgrid', ...talk],
  'praat-short.TextGrid': ['praat_textgrid', ...talk],
  'youtube.json3': ['youtube_json3', ...talk.map((line) => line.replace(/Ann Quill:|Max Bell:/, '?:'))],
  'recall.json': ['recall', ...talk],
  'mot.txt': ['mot', 'face 1 1-3 5-6', 'face 2 2-4'],
  'cvat-tracks.xml': ['cvat', 'face 0 1-3', 'face 1 4-5'],
};

/** What is left out or noted of them. */
const counted: Readonly<Record<string, ReadonlyArray<string>>> = {
  'subtitles.ass': ['1 Comment line'],
  'text-otter.txt': ['1 line of the tool, which is not spoken'],
  'teams.docx': ['3 line before the first speaker', '2 line of the tool, which is not spoken'],
  'praat.TextGrid': ['1 tier of points'],
  'youtube.json3': ['8 word or utterance without a speaker: assigned to a synthetic speaker'],
  'mot.txt': ['125 box in pixels: the size of the picture is not told'],
  'cvat-tracks.xml': ['1 track of something else than a face, head or person'],
};

const read = async (text: string, fps?: number): Promise<ReadDocument> =>
  fps === undefined ? readText(text) : right(readDocument([Buffer.from(text)], { fps }));

/** What a text holds, and what is counted of it. */
const both = async (text: string, fps?: number): Promise<ReadonlyArray<string>> => {
  const { imported } = await read(text, fps);
  return [...contentOf(imported), ...countedOf(imported)];
};

const unknown = (count: number): string =>
  `${count} word or utterance without a speaker: assigned to a synthetic speaker`;

describe('added formats', () => {
  for (const [name, [format, ...content]] of Object.entries(documents))
    it(`are read: ${name}`, async () => {
      const document = right(await readFound(name, { fps: 25 }));
      expect(document.format).to.equal(format);
      expect(contentOf(document.imported)).to.deep.equal(content);
      expect(countedOf(document.imported)).to.deep.equal(counted[name] ?? []);
    });

  it('count frames only if the frame rate is told', async () => {
    for (const name of ['mot.txt', 'cvat-tracks.xml'])
      expect(left(await readFound(name))).to.match(/the format counts frames: .*fps/);
  });
});

describe('transcripts in plain text', () => {
  it('may have heads without a name: in the style of Otter nobody speaks, in the style of Rev the same person', async () => {
    expect(await both('Ann Quill  0:01\nOne.\n\n0:05\nTwo.\nThree.\n')).to.deep.equal([
      '1-5 Ann Quill: One.',
      '5-6 ?: Two. Three.',
      unknown(1),
    ]);
    expect(await both('Talk\n\nAnn Quill (00:01):\nOne.\n\n(00:05):\nTwo.\n\nSpeaker 2 (01:02:07):\n')).to.deep.equal([
      '1-5 Ann Quill: One.',
      '5-3727 Ann Quill: Two.',
      '1 caption without text',
      '1 line before the first speaker',
    ]);
    expect(await both('[00:01.5] 田中 太郎: One.\n[00:02 - 00:04] and two\n[00:09] Speaker 1: No.')).to.deep.equal([
      '1.5-2 田中 太郎: One.',
      '2-4 田中 太郎: and two',
      '9-10 #0: No.',
    ]);
  });

  it('keep text that is said twice', async () => {
    expect(await both('[00:01] Yes\n[00:02] Yes I do')).to.deep.equal(['1-2 ?: Yes', '2-3 ?: Yes I do', unknown(2)]);
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
    expect(await both(tt(body, 'ttp:frameRate="25" ttp:tickRate="30000"'))).to.deep.equal([
      '11.2-11.7 Ann: One',
      '60-90 Bob: Two',
      '120-125 Ann: Three',
      '360-370 Bob: Four',
      '370-370.8 Ann: Five',
    ]);
    const ntsc = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"';
    expect(await both(tt('<p begin="30f" end="60f">One</p>', ntsc))).to.deep.equal(['1.001-2.002 ?: One', unknown(1)]);
  });

  it('may have times and agents in spans; what has no time is counted', async () => {
    const body = [
      '<p><span begin="1s" end="2s">One</span> <span begin="2s" end="3s">Two<br/>more</span></p>',
      '<p begin="4s" end="5s"><metadata><ttm:desc>aside</ttm:desc></metadata>Three <span ttm:agent="b">Four</span></p>',
      '<p>Five</p>',
    ].join('');
    expect(await both(tt(body))).to.deep.equal([
      '1-2 ?: One',
      '2-3 ?: Two more',
      '4-5 #0: Four',
      '4-5 ?: Three',
      '1 paragraph without times',
      unknown(3),
    ]);
  });

  it('without a paragraph that is shown is refused', async () => {
    expect(await faultOf(tt('<p>One</p>'))).to.equal('the document has no paragraph with text and times');
    expect(await faultOf(tt('<p begin="1s">One</p>', 'ttp:frameRate="0"'))).to.match(/frameRate/);
  });
});

describe('SubStation Alpha', () => {
  const events = (format: string, ...lines: string[]): string =>
    ['[Script Info]', '[Events]', `Format: ${format}`, ...lines].join('\n');

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
    expect(await both(text)).to.deep.equal([
      '1-2 Ann: Good, well {sic}',
      '1.5-2.5 Max Bell: Well, yes',
      '3-4 Ann: No',
      '1 Dialogue line without valid times',
      '1 Picture line',
      '1 caption without text',
      '1 drawing',
    ]);
  });

  it('is refused without a Format line', async () => {
    expect(await faultOf('[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Hi')).to.match(
      /^3: no Format line/,
    );
  });
});

describe('tables of NIST', () => {
  it('STM: labels are optional, alternatives the first, segments that are not scored are counted', async () => {
    const rows = [
      'talk 1 inter_segment_gap 0.0 1.0 <o,,> ',
      'talk 1 Ann 1.0 2.0 { um / uh } good {@ / the} day',
      'talk 1 Max 2.0 3.0 <o,f0,male> ignore_time_segment_in_scoring',
      'talk 1 Max 3.0 2.0 yes',
    ];
    expect(await both(rows.join('\n'))).to.deep.equal([
      '1-2 Ann: um good day',
      '1 piece of text whose end lies before its start',
      '2 segment that is not scored',
    ]);
    expect(await faultOf(`${rows.join('\n')}\nmeeting 1 Ann 1.0 2.0 hi`)).to.match(
      /^5: .*more than one recording .*choose one/,
    );
  });

  it('CTM: one channel is nobody; of alternatives the first; types and speakers of Rich Transcription', async () => {
    const rows = [
      'talk 1 1.0 0.5 one',
      'talk 1 * * <ALT_BEGIN>',
      'talk 1 1.5 0.5 two 0.5',
      'talk 1 * * <ALT>',
      'talk 1 1.5 0.4 too 0.5',
      'talk 1 * * <ALT_END>',
      'talk 1 4.0 -0.4 three 0.5',
    ];
    expect(await both(rows.join('\n'))).to.deep.equal([
      '1-2 ?: one two',
      '1 piece of text whose end lies before its start',
      '1 word of a second alternative',
      unknown(2),
    ]);
    const typed = 'talk 1 1.0 0.5 one 0.9 lex Ann_Quill\ntalk 1 2.0 0.5 {breath} 0.9 non-lex Ann_Quill';
    expect(await both(typed)).to.deep.equal(['1-1.5 Ann_Quill: one', '1 sound or word that is not scored']);
  });
});

describe("Praat's TextGrid", () => {
  it('has quotation marks twice, texts on several lines, comments, and may have no tiers', async () => {
    const text = (await readFile(found('praat-short.TextGrid'), 'utf8'))
      .replace('"Hi Ann."', '"Hi ""Ann""\n! you" ! a comment with "quotes"')
      .replaceAll('\n', '\r\n');
    expect(contentOf((await read(text)).imported)[1]).to.equal('4-4.9 Max Bell: Hi "Ann" ! you');
    const none = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n8\n<absent>\n';
    expect(await faultOf(none)).to.equal('the document has no interval with text');
  });

  it('is refused with the line of what is wrong, and if it is truncated', async () => {
    const text = await readFile(found('praat-short.TextGrid'), 'utf8');
    expect(await faultOf(text.replace('2.4\n"Good', '"2.4"\n"Good'))).to.match(/^17: "2.4" stands where a number/);
    expect(await faultOf(text.replace('\n1\n2.4\n"Good', '\n-1\n2.4\n"Good'))).to.match(/^16: time -1 is negative/);
    for (const length of [60, 120, 200]) expect(await faultOf(text.slice(0, length))).to.match(/truncated$/);
  });
});

describe("YouTube's JSON", () => {
  it('has events that last into the next one, sounds, and captions of people without words', async () => {
    const words = [
      { tStartMs: 1000, dDurationMs: 5000, segs: [{ utf8: 'one' }, { utf8: ' two', tOffsetMs: 500 }] },
      { tStartMs: 2000, segs: [{ utf8: '[Music]' }] },
      { tStartMs: 3500, segs: [{ utf8: 'three' }, { utf8: '-fold', tOffsetMs: 200 }] },
    ];
    expect(await both(JSON.stringify({ events: words }))).to.deep.equal([
      '1-4.7 ?: one two three-fold',
      '1 sound, such as [Music]',
      unknown(4),
    ]);
    const captions = [
      { tStartMs: 1000, dDurationMs: 2000, segs: [{ utf8: '- ANN: One\n- BOB: Two' }] },
      { tStartMs: 3000, dDurationMs: 1000, segs: [{ utf8: 'ANN: Three' }] },
    ];
    expect(await both(JSON.stringify({ wireMagic: 'pb3', events: captions }))).to.deep.equal([
      '1-3 ANN: One',
      '1-3 BOB: Two',
      '3-4 ANN: Three',
    ]);
    expect(await faultOf('{"wireMagic": "pb3", "events": []}')).to.equal('the document has no event with text');
  });
});

describe("Recall.ai's transcripts", () => {
  it('may lack names, participants and ends; a name is one speaker, whatever the id', async () => {
    const say = (participant: object | null, text: string, relative: number) => ({
      participant,
      words: [{ text, start_timestamp: { relative, absolute: null }, end_timestamp: null }],
    });
    const parts = [
      say(null, 'Hm.', 0),
      say({ id: 1, name: 'Ann Quill' }, 'One.', 1),
      say({ id: 2, name: null }, 'Two.', 3),
      say({ id: 3, name: 'Ann Quill' }, 'Three.', 5),
    ];
    expect(await both(JSON.stringify(parts))).to.deep.equal([
      '0-1 ?: Hm.',
      '1-3 Ann Quill: One.',
      '3-5 #1: Two.',
      '5-6 Ann Quill: Three.',
      unknown(1),
    ]);
  });
});

describe('faces by frames', () => {
  it('MOT: rows in any order; ignored ones and detections without an identity are counted', async () => {
    const rows = ['2,7,1,1,5,5,1,-1,-1,-1', '1,7,1,1,5,5,0.5', '3,7,1,1,5,5,0', '5,-1,1,1,5,5,1'];
    expect(await both(rows.join('\n'), 10)).to.deep.equal([
      'face 7 0-0.2',
      '2 box in pixels: the size of the picture is not told',
      '1 row that is to be ignored: its seventh column is 0',
      '1 row without an identity',
    ]);
    expect(left(readDocument([Buffer.from('1,-1,1,1,5,5,1')], { fps: 25 })).message).to.equal(
      'the document has no faces',
    );
  });

  it('CVAT: a box holds until the next one or the end of the task, and is a share of the picture', async () => {
    const size = '<original_size><width>100</width><height>50</height></original_size>';
    const box = (frame: number, outside = 0, left = 10): string =>
      `<box frame="${frame}" outside="${outside}" xtl="${left}" ytl="10" xbr="${left + 20}" ybr="20"/>`;
    const xml = (tracks: string, meta = `<size>40</size>${size}`): string =>
      `<annotations><meta><task>${meta}</task></meta>${tracks}</annotations>`;
    const track = `<track id="3" label="Person face">${box(20, 0, 90)}${box(0)}${box(10, 1)}</track>`;
    const { imported } = await read(xml(track), 10);
    expect(contentOf(imported)).to.deep.equal(['face 3 0-1 2-4']);
    expect(imported.faces?.faces[0]?.boxes).to.deep.equal([
      { at: 0, left: 0.1, top: 0.2, width: 0.2, height: 0.2 },
      { at: 2, left: 0.9, top: 0.2, width: 0.1, height: 0.2 },
    ]);
    const polygons = '<track id="0" label="face"><polygon frame="1" outside="0" points="1,2;3,4"/></track>';
    expect(contentOf((await read(xml(polygons, ''), 10)).imported)).to.deep.equal(['face 0 0.1-0.2']);
    const several = '<track id="0" task_id="1" label="face"/><track id="0" task_id="2" label="face"/>';
    expect(left(readDocument([Buffer.from(xml(several))], { fps: 10 })).message).to.match(/several tasks/);
  });
});
