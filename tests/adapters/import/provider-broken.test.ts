import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import {
  aswFaces,
  avaFaces,
  avaTurns,
  faultOf,
  fixtureText,
  linesOf,
  readText,
  right,
  sample,
  textOf,
} from './support.js';
import { writers, type Talk } from './talk-writers.js';

/** A text of a sample that is replaced, and the error that follows. */
const Fault = t.type({ title: t.string, sample: t.string, from: t.string, to: t.string, error: t.string });
const faults = right(t.array(Fault).decode(JSON.parse(fixtureText('import-faults.json'))));

const place = /^(?:\d+|[\w.@[\]]+): /;

const names = readdirSync(sample('.')).filter((name) => /\.(?:json|vtt|srt)$/.test(name));

/** Cut in the middle of a document, or of the last row or cue. */
const cutOff = (name: string, text: string): string =>
  name.endsWith('.json') ? text.slice(0, Math.floor(text.length * 0.6)) : text.slice(0, text.lastIndexOf('-->') + 7);

describe('invalid provider documents', () => {
  it('report the line at which a file is truncated', () => {
    for (const name of names) {
      const fault = faultOf(cutOff(name, textOf(name)));
      expect(fault, name).to.match(/^\d+: (?:the JSON is incomplete|.*is not a valid pair of cue times)/);
    }
    for (const path of [avaFaces, avaTurns, aswFaces]) {
      const text = linesOf(path).join('\n');
      expect(faultOf(text.slice(0, Math.floor(text.length * 0.6))), path).to.match(/^\d+: /);
    }
  });

  it('report the line that is not UTF-8', () => {
    for (const path of [...names.map(sample), avaFaces, avaTurns, aswFaces]) {
      const text = linesOf(path).join('\n');
      const half = Math.floor(text.length / 2);
      const latin = Buffer.concat([Buffer.from(text.slice(0, half)), Buffer.of(0xe9), Buffer.from(text.slice(half))]);
      const line = text.slice(0, half).split('\n').length;
      expect(faultOf(latin), path).to.equal(`${line}: the text is not UTF-8`);
    }
  });

  for (const { title, sample: name, from, to, error } of faults)
    it(`are refused for ${title}, with its place: ${name}`, () => {
      const text = textOf(name);
      expect(text).to.include(from);
      expect(faultOf(text.replace(from, to))).to.equal(error);
    });

  it('are refused for a negative time in every JSON sample', () => {
    const covered = faults.filter(({ title }) => title === 'a negative time').map(({ sample: name }) => name);
    expect(new Set(covered)).to.deep.equal(new Set(names.filter((name) => name.endsWith('.json'))));
  });

  it('are read without the cues whose times are not valid, with their count', () => {
    for (const name of ['speakers.srt', 'voices.vtt', 'zoom.vtt']) {
      const text = textOf(name);
      const whole = readText(text).imported.speech;
      const { speech } = readText(text.replace(/(00:00:03[.,]200 -->)/, '-$1')).imported;
      expect(speech?.summary.dropped, name).to.deep.include({ count: 1, what: 'cue without valid times' });
      expect(speech?.segments.length).to.equal((whole?.segments.length ?? 0) - 1);
    }
  });

  const crowd = (count: number): Talk => ({
    names: Array.from({ length: count }, (_, id) => `Person Number ${id}`),
    said: Array.from({ length: count }, (_, id) => ({ speaker: id, start: id * 10, end: id * 10 + 10, text: 'a' })),
  });
  for (const [format, { write, anonymous }] of Object.entries(writers))
    if (!anonymous && format !== 'amazon_call_analytics')
      it(`report the place of too many speakers: ${format}`, () => {
        const fault = faultOf(write(crowd(1_001)));
        expect(fault).to.match(/more than 1,000 speakers; are these really speaker labels\?$/);
        // Agents of TTML are declared apart from the lines.
        if (format !== 'ttml') expect(fault).to.match(place);
      });

  it('include a document in which nothing is said', () => {
    const empty = JSON.stringify({ segments: [], language: 'en' });
    expect(faultOf(empty)).to.equal('the document has no words and no turns');
  });
});
