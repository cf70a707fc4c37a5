import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFiles } from '../../../adapters/import/import-files.js';
import { duplicates, negativeTimes } from './broken-samples.js';
import { manySpeakers } from './many-speakers.js';
import { faultOf, readText, sample, textOf } from './providers.js';
import { standIn } from './service.js';
import { avaFaces, avaTurns, aswFaces, left, linesOf } from './support.js';

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

  for (const [what, breaks] of Object.entries({ 'a negative time': negativeTimes, 'ids that repeat': duplicates }))
    it(`report the place of ${what}`, async () => {
      for (const { sample: name, from, to, error } of breaks) {
        const text = await textOf(name);
        const broken = text.replace(from, to);
        expect(broken, `${name} is broken`).not.to.equal(text);
        expect(await faultOf(broken), name).to.match(error);
      }
    });

  it('include a negative time for every JSON sample', async () => {
    const covered = negativeTimes.map(({ sample: name }) => name);
    expect(covered.sort()).to.deep.equal((await names()).filter((name) => name.endsWith('.json')).sort());
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

  for (const [format, make] of Object.entries(manySpeakers))
    it(`report the place of too many speakers: ${format}`, async () => {
      const fault = await faultOf(make());
      expect(fault).to.match(/more than (?:1,000 speakers; are these really speaker labels\?|2,000 faces)$/);
      expect(fault).to.match(place);
    });

  it('report one error and send nothing', async () => {
    const service = await standIn({});
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    for (const { sample: name, from, to } of [...negativeTimes, ...duplicates]) {
      const file = join(folder, name);
      await writeFile(file, (await textOf(name)).replace(from, to));
      const failure = left(
        await importFiles({ files: [avaTurns], parts: [{ path: file, wanted: 'all' }], url: service.url, key: 'k' }),
      );
      expect(failure.messages, name).to.have.length(1);
      expect(failure.messages[0]).to.match(new RegExp(`${name}:`));
    }
    await service.close();
    await rm(folder, { recursive: true });
    expect(service.received).to.deep.equal([]);
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
