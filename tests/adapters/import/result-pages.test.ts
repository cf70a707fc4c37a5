import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { importFiles } from '../../../adapters/import/import-files.js';
import { faultOf, left, readText, right, textOf } from './support.js';

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
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = (pages: ReadonlyArray<unknown>): Promise<ReadonlyArray<string>> =>
    Promise.all(
      pages.map(async (page, index) => {
        const path = join(folder, `page-${index}.json`);
        await writeFile(path, json(page));
        return path;
      }),
    );
  const dryRun = (files: ReadonlyArray<string>) =>
    importFiles({ files, url: 'http://127.0.0.1:9', key: 'k', dryRun: true });

  it('are read from one file in any order', () => {
    const whole = readText(textOf('amazon-rekognition-faces.json'));
    const pages = facePages(3);
    expect(readText(json(pages)).imported).to.deep.equal(whole.imported);
    expect(readText(json(pages.toReversed())).imported).to.deep.equal(whole.imported);
    const { Persons } = right(Search.decode(JSON.parse(textOf('amazon-rekognition-search.json'))));
    const searched = readText(json(cut(Persons, 'Persons', 4)));
    expect(searched.imported).to.deep.equal(readText(textOf('amazon-rekognition-search.json')).imported);
  });

  it('are joined from several files', async () => {
    const paths = await write(facePages(4));
    const { json: report, text } = right(await dryRun(paths.toReversed()));
    expect(report).to.have.nested.property('files.length', 1);
    expect(report).to.have.nested.property('files[0].faces', 3);
    expect(report).to.have.nested.property('files[0].notes.length', 0);
    expect(text[0]).to.equal(`${paths.toReversed().join(', ')}: amazon_rekognition_faces, 20 rows`);
  });

  it('give a note if the last page is missing', async () => {
    const paths = await write(facePages(4).slice(0, -1));
    const { text } = right(await dryRun(paths));
    expect(text).to.include('  noted: 1 × page with a NextToken: the pages after it are missing');
  });

  it('are refused if they belong to two results or a page occurs twice', async () => {
    const [first, ...rest] = facePages(8);
    expect(faultOf(json([first, first, ...rest]))).to.equal('[1].NextToken: the same page occurs twice');
    expect(faultOf(json([first, ...rest.map((page) => ({ ...page, JobId: 'job-2' }))]))).to.equal(
      '[1].JobId: the pages are of different jobs',
    );
    const paths = await write([{ ...first, NextToken: null }, ...rest]);
    const { messages } = left(await dryRun(paths));
    expect(messages).to.deep.equal([
      `${paths.join(', ')}: [2].NextToken: is missing on two pages, so these are pages of two results`,
    ]);
  });

  it('report the page and file of an error', () => {
    const pages = facePages(8);
    const broken = json(pages).replace('"Timestamp":4000', '"Timestamp":-4000');
    expect(faultOf(broken)).to.match(/^\[1\]\.Faces\[\d\]\.Timestamp: -4 is negative$/);
    expect(faultOf(json([pages[0], { ...pages[1], JobStatus: 'FAILED' }]))).to.match(/^\[1\]\.JobStatus: /);
  });
});
