import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { breaks, negativeTimes } from './broken-samples.js';
import { faultOf, readText, sample, textOf } from './providers.js';
import { avaFaces, avaTurns, aswFaces, linesOf } from './support.js';
import { writers } from './talk-writers.js';
import type { Talk } from './talks.js';

const place = /^(?:\d+|[\w.@[\]]+): /;

const names = async (): Promise<ReadonlyArray<string>> =>
  (await readdir(sample('.'))).filter((name) => /\.(?:json|vtt|srt)$/.test(name));

/** Cut in the middle of a document, or of the last row or cue. */
const cutOff = (name: string, text: string): string =>
  name.endsWith('.json') ? text.slice(0, Math.floor(text.length * 0.6)) : text.slice(0, text.lastIndexOf('-->') + 7);

describe('invalid provider documents', () => {
  it('report the line at which a file is truncated', async () => {
    for (const name of await names()) {
      const fault = await faultOf(cutOff(name, await textOf(name)));
      expect(fault, name).to.match(/^\d+: (?:the JSON is incomplete|.*is not a valid pair of cue times)/);
    }
    for (const path of [avaFaces, avaTurns, aswFaces]) {
      const text = (await linesOf(path)).join('\n');
      expect(await faultOf(text.slice(0, Math.floor(text.length * 0.6))), path).to.match(/^\d+: /);
    }
  });

  it('report the line that is not UTF-8', async () => {
    for (const path of [...(await names()).map(sample), avaFaces, avaTurns, aswFaces]) {
      const text = (await linesOf(path)).join('\n');
      const half = Math.floor(text.length / 2);
      const latin = Buffer.concat([Buffer.from(text.slice(0, half)), Buffer.of(0xe9), Buffer.from(text.slice(half))]);
      const line = text.slice(0, half).split('\n').length;
      expect(await faultOf(latin), path).to.equal(`${line}: the text is not UTF-8`);
    }
  });

  it('report the place of a negative time, in every JSON sample', async () => {
    for (const [name, before, time, error] of negativeTimes) {
      const broken = (await textOf(name)).replace(`${before}${time}`, `${before}-${time}`);
      expect(await faultOf(broken), name)
        .to.match(/ is negative/)
        .and.to.include(error);
    }
    const covered = new Set(['azure-video-indexer.json', ...negativeTimes.map(([name]) => name)]);
    expect([...covered]).to.have.members((await names()).filter((name) => name.endsWith('.json')));
  });

  it('report the place of ids that repeat', async () => {
    for (const [name, from, to, error] of breaks)
      expect(await faultOf((await textOf(name)).replace(from, to)), name).to.match(error);
  });

  it('are read without the cues whose times are not valid, with their count', async () => {
    for (const name of ['speakers.srt', 'voices.vtt', 'zoom.vtt']) {
      const text = await textOf(name);
      const whole = (await readText(text)).imported.speech;
      const { speech } = (await readText(text.replace(/(00:00:03[.,]200 -->)/, '-$1'))).imported;
      expect(speech?.summary.dropped, name).to.deep.include({ count: 1, what: 'cue without valid times' });
      expect(speech?.segments.length).to.equal((whole?.segments.length ?? 0) - 1);
    }
  });

  const crowd = (count: number): Talk => ({
    names: Array.from({ length: count }, (_, id) => `Person Number ${id}`),
    said: Array.from({ length: count }, (_, id) => ({ speaker: id, start: id * 10, end: id * 10 + 10, text: 'a' })),
  });
  for (const [format, { write, anonymous }] of Object.entries(writers))
    if (anonymous !== true && format !== 'amazon_call_analytics')
      it(`report the place of too many speakers: ${format}`, async () => {
        const document = write(crowd(1_001));
        const fault = await faultOf(typeof document === 'string' ? document : JSON.stringify(document));
        expect(fault).to.match(/more than 1,000 speakers; are these really speaker labels\?$/);
        // Agents of TTML are declared apart from the lines.
        if (format !== 'ttml') expect(fault).to.match(place);
      });

  it('report the place of too many faces', async () => {
    const Persons = Array.from({ length: 2_001 }, (_, Index) => ({ Timestamp: 0, Person: { Index } }));
    expect(await faultOf(JSON.stringify({ Persons }))).to.equal('2000: more than 2,000 faces');
  });

  it('include jobs that have not succeeded', async () => {
    const unfinished: ReadonlyArray<readonly [string, string | RegExp, string]> = [
      ['amazon-transcribe.json', '"status":"COMPLETED"', '"status":"FAILED"'],
      ['amazon-call-analytics.json', '"JobStatus": "COMPLETED"', '"JobStatus": "FAILED"'],
      ['amazon-rekognition-faces.json', 'SUCCEEDED', 'IN_PROGRESS'],
      ['assemblyai.json', '"status": "completed"', '"status": "error"'],
      ['pyannote-job.json', '"status": "succeeded"', '"status": "running"'],
      ['azure-video-indexer.json', /"state": "Processed",\s*"insights"/, '"state": "Failed", "insights"'],
    ];
    for (const [name, from, to] of unfinished)
      expect(await faultOf((await textOf(name)).replace(from, to)), name).to.match(
        /^[\w.[\]]*(?:status|JobStatus|state): /,
      );
  });

  it('include a document in which nothing is said', async () => {
    const empty = JSON.stringify({ segments: [], language: 'en' });
    expect(await faultOf(empty)).to.equal('the document has no words and no turns');
  });
});
