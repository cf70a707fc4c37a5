import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';
import { allOf, contentOf, found, unknown } from './content.js';
import { faultOf } from './providers.js';
import { left, right } from './support.js';

describe('tables of NIST', () => {
  it('STM: labels are optional, alternatives the first, segments that are not scored are counted', async () => {
    const rows = [
      'talk 1 inter_segment_gap 0.0 1.0 <o,,> ',
      'talk 1 Ann 1.0 2.0 { um / uh } good {@ / the} day',
      'talk 1 Max 2.0 3.0 <o,f0,male> ignore_time_segment_in_scoring',
      'talk 1 Max 3.0 2.0 yes',
    ];
    expect(allOf(rows.join('\n'))).to.deep.equal([
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
    expect(allOf(rows.join('\n'))).to.deep.equal([
      '1-2 ?: one two',
      '1 piece of text whose end lies before its start',
      '1 word of a second alternative',
      unknown(2),
    ]);
    const typed = 'talk 1 1.0 0.5 one 0.9 lex Ann_Quill\ntalk 1 2.0 0.5 {breath} 0.9 non-lex Ann_Quill';
    expect(allOf(typed)).to.deep.equal(['1-1.5 Ann_Quill: one', '1 sound or word that is not scored']);
  });
});

describe("Praat's TextGrid", () => {
  it('has quotation marks twice, texts on several lines, comments, and may have no tiers', async () => {
    const text = (await readFile(found('praat-short.TextGrid'), 'utf8'))
      .replace('"Hi Ann."', '"Hi ""Ann""\n! you" ! a comment with "quotes"')
      .replaceAll('\n', '\r\n');
    expect(contentOf(right(readDocument([Buffer.from(text)])).imported)[1]).to.equal('4-4.9 Max Bell: Hi "Ann" ! you');
    const fewer = (await readFile(found('praat-short.TextGrid'), 'utf8')).replace('<exists>\n2', '<exists>\n1');
    expect(allOf(fewer).at(-1)).to.equal('14 value after the last tier');
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
    expect(allOf(JSON.stringify({ events: words }))).to.deep.equal([
      '1-4.7 ?: one two three-fold',
      '1 sound, such as [Music]',
      unknown(4),
    ]);
    const captions = [
      { tStartMs: 1000, dDurationMs: 2000, segs: [{ utf8: '- ANN: One\n- BOB: Two' }] },
      { tStartMs: 3000, dDurationMs: 1000, segs: [{ utf8: 'ANN: Three' }] },
    ];
    expect(allOf(JSON.stringify({ wireMagic: 'pb3', events: captions }))).to.deep.equal([
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
    expect(allOf(JSON.stringify(parts))).to.deep.equal([
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
    expect(allOf(rows.join('\n'), 10)).to.deep.equal([
      'face 7 0-0.2',
      '2 box in pixels: the size of the picture is not told',
      '1 row that is to be ignored: its seventh column is 0',
      '1 row without an identity',
    ]);
    expect(left(readDocument([Buffer.from('1,-1,1,1,5,5,1')], { fps: 25 })).message).to.equal(
      'the document has no faces',
    );
  });

  it('count frames only if the frame rate is told', async () => {
    for (const name of ['mot.txt', 'cvat-tracks.xml'])
      expect(left(readDocument([await readFile(found(name))])).message).to.match(/the format counts frames: .*fps/);
  });

  it('CVAT: a box holds until the next one or the end of the task, and is a share of the picture', async () => {
    const size = '<original_size><width>100</width><height>50</height></original_size>';
    const box = (frame: number, outside = 0, left = 10): string =>
      `<box frame="${frame}" outside="${outside}" xtl="${left}" ytl="10" xbr="${left + 20}" ybr="20"/>`;
    const xml = (tracks: string, meta = `<size>40</size>${size}`): string =>
      `<annotations><meta><task>${meta}</task></meta>${tracks}</annotations>`;
    const track = `<track id="3" label="Person face">${box(20, 0, 90)}${box(0)}${box(10, 1)}</track>`;
    const { imported } = right(readDocument([Buffer.from(xml(track))], { fps: 10 }));
    expect(contentOf(imported)).to.deep.equal(['face 3 0-1 2-4']);
    expect(imported.faces?.faces[0]?.boxes).to.deep.equal([
      { at: 0, left: 0.1, top: 0.2, width: 0.2, height: 0.2 },
      { at: 2, left: 0.9, top: 0.2, width: 0.1, height: 0.2 },
    ]);
    const polygons = '<track id="0" label="face"><polygon frame="1" outside="0" points="1,2;3,4"/></track>';
    expect(allOf(xml(polygons, ''), 10)).to.deep.equal(['face 0 0.1-0.2']);
    const several = '<track id="0" task_id="1" label="face"/><track id="0" task_id="2" label="face"/>';
    expect(left(readDocument([Buffer.from(xml(several))], { fps: 10 })).message).to.match(/several tasks/);
    const twice = xml(track + track);
    expect(left(readDocument([Buffer.from(twice)], { fps: 10 }))).to.deep.include({
      path: 'track 3',
      message: 'duplicate id "3"',
    });
  });
});
