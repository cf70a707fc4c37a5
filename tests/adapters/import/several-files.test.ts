import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { importFiles, type ImportRequest } from '../../../adapters/import/import-files.js';
import { joinSpeech } from '../../../adapters/import/build-speech.js';
import { temporaryFolder } from '../../support/event-store/stores.js';
import {
  contentOf,
  countedOf,
  avaFaces,
  avaTurns,
  fixtureText,
  left,
  readText,
  right,
  sample,
  faultOf,
  textOf,
} from './support.js';

const nowhere = { url: 'http://127.0.0.1:9', key: 'k', dryRun: true };
const dryRun = (request: Partial<ImportRequest>) => importFiles({ ...nowhere, files: [], ...request });

const speechOf = (name = '') => {
  const { speech } = readText(fixtureText(name)).imported;
  if (speech === null) throw new Error('speech was expected');
  return speech;
};

/** The file with the turns and that with the transcript, and what comes out of both. */
const joinedSamples = fixtureText('joined-samples.txt').trimEnd().split('\n\n');

describe('import of several files of one recording', () => {
  it('combines faces, turns and a transcript from three files', async () => {
    const [diarisation, transcript] = [[sample('pyannote-turns.json')], [sample('whisperx.json')]];
    const { json, text } = right(await dryRun({ faces: [avaFaces], diarisation, transcript }));
    expect(text).to.include('transcript: own analysis');
    expect(json).to.have.nested.property('files[0].faces', 7);
    expect(json).to.have.nested.property('files[1].segments', 5);
    expect(json).to.have.nested.property('files[2].words', 26);
  });

  it('refuses two files with the same content, and a file without the wanted content', async () => {
    const twice = left(await dryRun({ files: [sample('zoom.vtt'), sample('whisperx.json')] }));
    expect(twice.kind).to.equal('usage');
    expect(twice.messages[0]).to.match(/^only one file of transcript can be imported at a time: /);
    const lacking = left(await dryRun({ faces: [avaTurns] }));
    expect(lacking.messages).to.deep.equal([`${avaTurns}: the file contains no faces`]);
    const silent = left(await dryRun({ transcript: [avaTurns] }));
    expect(silent.messages).to.deep.equal([`${avaTurns}: the file contains no transcript`]);
  });

  it('decides by format whether the transcript is provider-supplied, unless it is declared', async () => {
    const supplied = async (name: string, providerSupplied?: boolean): Promise<unknown> => {
      const { json } = right(await dryRun({ files: [sample(name)], providerSupplied }));
      return 'provider_supplied' in json ? json.provider_supplied : undefined;
    };
    expect(await supplied('speakers.srt')).to.equal(true);
    expect(await supplied('speakers.srt', false)).to.equal(false);
    expect(await supplied('deepgram.json')).to.equal(false);
    expect(await supplied('deepgram.json', true)).to.equal(true);
  });

  for (const [names = '', ...lines] of joinedSamples.map((paragraph) => paragraph.split('\n')))
    it(`assigns words by label if labels and times agree, else by time: ${names}`, () => {
      const [turns, words] = names.split(' + ');
      const joined = { faces: null, speech: joinSpeech(speechOf(turns), speechOf(words)) };
      expect(joined.speech.segments).to.deep.equal(speechOf(turns).segments);
      expect([...contentOf(joined), ...countedOf(joined)]).to.deep.equal(lines);
    });

  it('reports how the files were joined', async () => {
    const transcript = [sample('deepgram.json')];
    const { json, text, table } = right(await dryRun({ diarisation: [avaTurns], transcript }));
    const joined = text.slice(text.findIndex((line) => line.startsWith('joined: ')));
    expect(joined).to.deep.equal([
      `joined: the turns of ${avaTurns} with the transcript of ${sample('deepgram.json')}`,
      '  3 speakers, 56 turns, 54.6 s of speech, 26 words in 2 utterances',
      '  noted: 1 × transcript with other speaker labels than the turns: assigned to speakers by time',
      '  noted: 26 × word or utterance outside all turns: assigned to the nearest turn',
      'transcript: own analysis',
      'dry run: nothing was sent',
    ]);
    expect(table[1]).to.deep.equal([avaTurns, 'rttm', '3', '0', '56', '0', '0', '0']);
    expect(json).to.have.nested.property('joined.turns', avaTurns);
    expect(json).to.have.nested.property('joined.transcript', sample('deepgram.json'));
    expect(json).to.have.nested.property('joined.notes[1].count', 26);
    expect(right(await dryRun({ files: [avaTurns] })).json).to.have.property('joined', null);
  });
});

const Detection = t.type({ Faces: t.array(t.type({ Timestamp: t.number })) });
const Search = t.type({ Persons: t.array(t.type({ Timestamp: t.number })) });

/** The sample's result in pages of this size, each except the last with the token of the next. */
const cut = (items: ReadonlyArray<unknown>, list: 'Faces' | 'Persons', size: number): ReadonlyArray<object> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
    JobStatus: 'SUCCEEDED',
    JobId: 'job-1',
    [list]: items.slice(index * size, (index + 1) * size),
    ...((index + 1) * size < items.length ? { NextToken: `page ${index + 1}` } : {}),
  }));

const facePages = (size: number): ReadonlyArray<object> => {
  const { Faces } = right(Detection.decode(JSON.parse(textOf('amazon-rekognition-faces.json'))));
  return cut(Faces, 'Faces', size);
};

const json = (value: unknown): string => JSON.stringify(value);

describe('result pages', () => {
  it('are read from one file in any order', () => {
    const whole = readText(textOf('amazon-rekognition-faces.json'));
    const pages = facePages(3);
    expect(readText(json(pages)).imported).to.deep.equal(whole.imported);
    expect(readText(json(pages.toReversed())).imported).to.deep.equal(whole.imported);
    const { Persons } = right(Search.decode(JSON.parse(textOf('amazon-rekognition-search.json'))));
    const searched = readText(json(cut(Persons, 'Persons', 4)));
    expect(searched.imported).to.deep.equal(readText(textOf('amazon-rekognition-search.json')).imported);
  });

  it('are joined from several files, in any order', async () => {
    const { path: folder, remove } = await temporaryFolder();
    const write = (pages: ReadonlyArray<unknown>) =>
      pages.map((page, index) => {
        const path = join(folder, `${index}.json`);
        writeFileSync(path, json(page));
        return path;
      });
    const { json: joined } = right(await dryRun({ files: write(facePages(4).toReversed()) }));
    expect(joined).to.have.nested.property('files[0].faces', 3);
    expect(joined).to.have.property('files').with.lengthOf(1);
    const [first, ...rest] = facePages(4);
    const files = write([{ ...first, JobId: 'job-2' }, ...rest]);
    expect(left(await dryRun({ files })).messages).to.deep.equal([
      `${files.join(', ')}: [1].JobId: the pages are of different jobs`,
    ]);
    await remove();
  });

  it('give a note if the last page is missing', () =>
    expect(readText(json(facePages(4).slice(0, -1))).imported.faces?.summary.notes).to.deep.equal([
      { count: 1, what: 'page with a NextToken: the pages after it are missing' },
    ]));

  it('are refused if they belong to two results or a page occurs twice', () => {
    const [first, ...rest] = facePages(8);
    expect(faultOf(json([first, first, ...rest]))).to.equal('[1].NextToken: the same page occurs twice');
    expect(faultOf(json([first, ...rest.map((page) => ({ ...page, JobId: 'job-2' }))]))).to.equal(
      '[1].JobId: the pages are of different jobs',
    );
    expect(faultOf(json([{ ...first, NextToken: null }, ...rest]))).to.equal(
      '[2].NextToken: is missing on two pages, so these are pages of two results',
    );
  });

  it('report the page of an error', () => {
    const pages = facePages(8);
    const broken = json(pages).replace('"Timestamp":4000', '"Timestamp":-4000');
    expect(faultOf(broken)).to.match(/^\[1\]\.Faces\[\d\]\.Timestamp: -4 is negative$/);
    expect(faultOf(json([pages[0], { ...pages[1], JobStatus: 'FAILED' }]))).to.match(/^\[1\]\.JobStatus: /);
  });
});
