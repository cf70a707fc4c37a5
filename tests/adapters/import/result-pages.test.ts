import { expect } from 'chai';
import * as t from 'io-ts';
import { faultOf, readText, right, textOf } from './support.js';

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
