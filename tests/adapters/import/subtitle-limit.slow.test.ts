import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readImportFile } from '../../../adapters/import/read-document.js';
import { shortOrLong } from '../../support/long-form.js';
import { left, right } from './support.js';

describe('import of a file: number of subtitle cues', () => {
  let folder = '';
  const write = async (content: string): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, content);
    return path;
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('accepts as many cues as an analysis may have utterances, and refuses more with the line of the first too many', async () => {
    const cue = '00:00:00.000 --> 00:00:01.000\n<v Ann>b\n\n';
    const most = right(readImportFile(await write(`WEBVTT\n\n${cue.repeat(200_000)}`)));
    expect(most.imported.speech?.summary.rows).to.equal(200_000);
    const { place, message } = left(
      readImportFile(await write(`WEBVTT\n\n${cue.repeat(shortOrLong(250_000, 900_000))}`)),
    );
    expect([place, message]).to.deep.equal([600_003, 'more than 200,000 cues']);
  });
});
