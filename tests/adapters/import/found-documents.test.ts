import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { joinSpeech } from '../../../adapters/import/join-speech.js';
import type { ImportedSpeech } from '../../../adapters/import/imported.js';
import { formats } from '../../../adapters/import/formats.js';
import { parseDocument } from '../../../adapters/import/json.js';
import { readDocument } from '../../../adapters/import/read-document.js';
import { Tally } from '../../../adapters/import/tally.js';
import { contentOf, countedOf, found, readFound } from './content.js';
import { sample } from './providers.js';
import { left, right } from './support.js';

/** Documents that are easily read wrongly: the format, and what they hold. */
const documents: Readonly<Record<string, readonly [format: string, ...content: string[]]>> = {
  '01-names-in-other-scripts.vtt': [
    'webvtt',
    '0-0.9 Иван Петров: Line 0',
    '1-1.9 田中 太郎: Line 1',
    '2-2.9 王小明: Line 2',
    '3-3.9 김민수: Line 3',
    '4-4.9 דוד לוי: Line 4',
    '5-5.9 ليلى حسن: Line 5',
    '6-6.9 Γιώργος Παππάς: Line 6',
    '7-7.9 राहुल शर्मा: Line 7',
    '8-8.9 สมชาย ใจดี: Line 8',
    '9-9.9 Ann Quill: Line 9',
  ],
  '02-google-speech-without-word-times.json': [
    'google_speech',
    '0-7.71 ?: good morning and welcome',
    '7.71-14.13 ?: thank you for having me',
  ],
  '03-ava-predictions-with-score.csv': [
    'ava_csv',
    'face 0 902-902.16 talking 902-902.04=0.91 902.04-902.08=0.93 902.08-902.12=0.93 902.12-902.16=0.02',
    'face 1 902-902.12 talking 902-902.04=0.02 902.04-902.08=0.02 902.08-902.12=0.03',
    'face 2 902-902.12 talking 902-902.04=0.02 902.04-902.08=0.02 902.08-902.12=0.01',
  ],
  '04a-no-blank-line-between-cues.srt': [
    'srt',
    '0-2 Ann: Hello there.',
    '2-4 Bob: Hi Ann.',
    '4-6 Ann: Shall we start?',
  ],
  '04b-no-blank-line-between-cues.vtt': [
    'webvtt',
    '0-2 Ann Quill: Hello there.',
    '2-4 Bob Reed: Hi Ann.',
    '4-6 Ann Quill: Shall we start?',
  ],
  '05-zoom-display-names.vtt': [
    'zoom_vtt',
    '1-3 Ann Quill: Good morning everyone.',
    '3.5-5 jo rivers: Hi there.',
    '5.5-7 🦊 Kit: Hello.',
    '7.5-9 (Guest) Max Bell: Hey.',
    '9.5-11 pat@example.com: I joined late.',
    '11.5-12.5 iPhone: Sorry.',
    '13-14 Ann Quill: Fine.',
    '15-16 Sam Reed [North Team]: Thanks.',
    '17-18 Room 4 - Big Meeting Room On Floor 2: We hear you.',
    "19-20 'Lee Ox': Yes.",
  ],
  '06-google-speech-two-channels.json': ['google_speech', '0.1-1.2 #1: hello there', '1.5-2.4 #2: my bill'],
  '08-segments-in-milliseconds.json': ['clova_speech', '0-2.5 #3: 제안합니다.', '2.6-5.1 #1: 좋습니다.'],
  '09a-deepgram-channels-and-speakers.json': ['deepgram', '0.1-0.4 #0: Hello', '1-1.3 #2: Hi.', '2-2.4 #1: there.'],
  '09b-assemblyai-channels-and-speakers.json': ['assemblyai', '0-0.9 #0: Hello.', '1-1.9 #1: Hi.', '2-2.9 #2: Yes.'],
  '09c-speech-activity.rttm': ['rttm', '0-2.5 #0', '4-6.5 #0'],
  '09d-labels-of-other-languages.rttm': ['rttm', '0-1.5 #0', '2-3.5 #1', '4-5.5 #2'],
  '09e-labels-of-other-languages.vtt': [
    'webvtt',
    '0-1 #3: Guten Tag.',
    '2-3 #2: Bonjour.',
    '4-5 #1: Hola.',
    '6-7 Ann Quill: Hello.',
  ],
  '11-position-tags.srt': ['srt', '0-2 Ann: Hello there.', '2-4 Bob: Hi Ann.', '4-6 Ann: Part two.'],
  '12a-youtube-automatic-captions.vtt': [
    'webvtt',
    '0.469-3.169 ?: welcome to the show',
    '3.179-5.749 ?: our guest is here',
  ],
  '12b-rolling-captions.vtt': ['webvtt', '0.469-3.169 ?: welcome to the show', '3.179-5.749 ?: our guest is here'],
  '13-dash-before-voice.vtt': [
    'webvtt',
    '15.431-23.482 #2: ♪ (music)',
    '23.982-27.318 Ann Quill: I have arrived at a good time.',
    '27.318-30.655 Max Bell: This is a broadcast.',
    '30.822-33.825 Ann Quill: We are done.',
  ],
  '14a-fullwidth-colon.srt': ['srt', '1-3 田中太郎: おはようございます。', '4-5 王小明: 你好。'],
  '14b-colon-without-space.srt': ['srt', '1-3 Ann: Good morning.', '4-5 Bob: Hi.'],
  '14c-label-in-brackets.srt': ['srt', '1-3 #1: Good morning.', '4-5 #2: Hi.'],
  '14d-whisper-cpp-label.srt': ['srt', '1-3 #1: Good morning.', '4-5 #0: Hi.'],
  '14e-label-on-its-own-line.srt': ['srt', '0-2 ANN: Hello there.', '2-4 BOB: Hi Ann.'],
  '15a-words-null.json': ['whisperx', '0-1.5 ?: Good morning.'],
  '15b-speaker-null.json': ['whisperx', '0-1.5 ?: Good morning.', '1.6-2.5 #1: Hi.'],
  '16-not-a-number.json': ['whisperx', '0-1 ?: Hi.'],
  '17-cue-numbers-repeat.srt': ['srt', '0-2 Ann: Hello there.', '2-4 Bob: Hi Ann.', '4-6 Ann: Part two.'],
  '18a-blank-line-after-times.vtt': ['webvtt', '1-3 Ann Quill: Good morning.', '4-5 Max Bell: Hi.'],
  '18b-blank-line-in-cue.vtt': ['webvtt', '0-1 Ann Quill: One. Two.', '2-3 Max Bell: Three.'],
  '19-rev-editor.json': ['rev', '0.54-1.2 Ann Quill: Good morning.', '1.5-1.9 #1: Hello'],
  '20-one-segment-backwards.json': ['whisperx', '0-1 #0: Hi.', '6-7 #0: Ok.'],
  '21a-space-in-file-id.rttm': ['rttm', '0-2.5 #0', '4-6.5 #1'],
  '21b-eight-columns.rttm': ['rttm', '0-2.5 #0', '4-6.5 #1'],
  '22a-compressed.rttm.gz': ['rttm', '0-2.5 #0', '4-6.5 #1'],
  '22b-compressed.zip': ['rttm', '0-2.5 #0', '4-6.5 #1'],
  '24-ava-ten-columns.csv': ['ava_csv', 'face 0 902-902.12 talking 902-902.04=0 902.04-902.12=1'],
  '25a-invisible-first-character.srt': ['srt', '0-2 Ann: Hello there.', '2-4 Bob: Hi Ann.'],
  '25b-utf-16.srt': ['srt', '1-3 Ann: CRLF.', '4-5 Bob: ok.'],
};

const unknown = ['23a-text-without-times.txt', '23b-tracks.json', '23c-eight-columns.csv', '23d-text-in-brackets.txt'];

const speechOf = async (name: string): Promise<ImportedSpeech> => {
  const { speech } = right(await readFound(name)).imported;
  if (speech === null) throw new Error('speech was expected');
  return speech;
};

describe('documents that were read wrongly elsewhere', () => {
  for (const [name, [format, ...content]] of Object.entries(documents))
    it(`are read as they are meant: ${name}`, async () => {
      const read = right(await readFound(name));
      expect(read.format).to.equal(format);
      expect(contentOf(read.imported)).to.deep.equal(content);
    });

  it('are not recognised if they are of no supported format', async () => {
    for (const name of unknown) expect(left(await readFound(name)), name).to.match(/^the format is not recognised/);
  });

  it('are recognised by one format only', async () => {
    const files = [
      ...(await readdir(found('.'))).filter((name) => /\.(?:json|ndjson|json3)$/.test(name)).map(found),
      ...(await readdir(sample('.'))).filter((name) => name.endsWith('.json')).map(sample),
    ];
    for (const file of files) {
      const document = parseDocument(await readFile(file, 'utf8'), new Tally());
      const names = formats.flatMap((format) =>
        format.reads === 'json' && format.recognises(document) ? [format.name] : [],
      );
      expect(new Set(names).size, `${file}: ${names.join()}`).to.equal(/23b/.test(file) ? 0 : 1);
    }
  });

  it('are read or refused in time, if they are made to be slow', () => {
    const long = 300_000;
    const cue = '00:00:01.000 --> 00:00:02.000\n';
    const slow = [
      `WEBVTT\n\n${cue}<v ${' '.repeat(long)}\n`,
      `WEBVTT\n\n${cue}<v ${'speaker '.repeat(60)}!>Hi</v>\n`,
      `WEBVTT\n\n${cue}<v ${'('.repeat(long)}>Hi</v>\n`,
      `WEBVTT\n\n${cue}Hi\n\n1:${' '.repeat(long)}x\n`,
      `WEBVTT\n\n${cue}Hi\n\n${'more\n'.repeat(long)}`,
      `WEBVTT\n\n${cue}${'a '.repeat(long)}\n\n00:00:02.000 --> 00:00:03.000\n${'a '.repeat(long)}b\n`,
      `WEBVTT\n\n${cue}${'<'.repeat(long)}\n`,
      `1${'\n'.repeat(long)}x`,
      `{"a": ${'"'.repeat(long)}}`,
      `[${'NaN,'.repeat(long)}x]`,
      `SPEAKER ${'a '.repeat(long)}\n`,
    ];
    for (const [index, text] of slow.entries()) {
      const begin = performance.now();
      readDocument([Buffer.from(text)]);
      expect(performance.now() - begin, `document ${index}`).to.be.lessThan(10_000);
    }
  });

  it('count what they leave out', async () => {
    const counted = async (name: string): Promise<ReadonlyArray<string>> =>
      countedOf(right(await readFound(name)).imported);
    expect(await counted('20-one-segment-backwards.json')).to.deep.equal([
      '1 piece of text whose end lies before its start',
    ]);
    expect(await counted('16-not-a-number.json')).to.include('1 NaN in the JSON: read as null');
    expect(await counted('13-dash-before-voice.vtt')).to.deep.equal([
      '2 text without a letter or number, such as a dash',
    ]);
  });

  it('are joined by time if their labels contradict it', async () => {
    const joined = joinSpeech(
      await speechOf('07a-turns-labels-permuted.rttm'),
      await speechOf('07b-transcript-labels-permuted.json'),
    );
    expect(contentOf({ faces: null, speech: joined })).to.deep.equal([
      '0.2-2 #0: My name is Ann Quill.',
      '5.2-7 #1: Hello, I am Max Bell.',
      '10.2-11.5 #0: Nice to meet you.',
    ]);
    expect(countedOf({ faces: null, speech: joined })).to.deep.equal([
      '1 transcript whose speaker labels contradict the times of the turns: assigned by time',
    ]);
  });
});
