import { expect } from 'chai';
import { contentOf, countedOf, readFound } from './content.js';
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
