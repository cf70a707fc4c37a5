import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';
import { shortOrLong } from '../../support/long-form.js';
import { left, right } from './support.js';

const mebibyte = 1024 * 1024;
const bin = fileURLToPath(new URL('../../../adapters/bin.js', import.meta.url));

/** A document of 64 MiB with as many elements as fit: short ones take the most memory. */
interface Shape {
  readonly name: string;
  readonly head: string;
  readonly element: (index: number) => string;
  readonly tail: string;
}

const hundredths = (count: number): string => (count / 100).toFixed(2);

const shapes: ReadonlyArray<Shape> = [
  {
    name: 'words of one letter without speakers (Deepgram)',
    head: '{"results":{"channels":[{"alternatives":[{"transcript":"a","words":[',
    element: (n) => `{"word":"a","start":${hundredths(n * 10)},"end":${hundredths(n * 10 + 5)}}`,
    tail: ']}]}]}}',
  },
  {
    name: 'faces with boxes (Rekognition)',
    head: '{"JobStatus":"SUCCEEDED","VideoMetadata":{"FrameRate":25},"Faces":[',
    element: (n) =>
      `{"Timestamp":${n * 40},"Face":{"BoundingBox":{"Width":0.1,"Height":0.2,"Left":0.3,"Top":0.4},"Confidence":99}}`,
    tail: ']}',
  },
  {
    name: 'rows of one face (AVA)',
    head: '',
    element: (n) =>
      `clip,${(n * 0.01).toFixed(2)},0.1,0.2,0.3,0.4,${n % 250 < 100 ? 'SPEAKING_AUDIBLE' : 'NOT_SPEAKING'},1:1\n`,
    tail: '',
  },
];

describe('import of a file: memory', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = async ({ head, element, tail }: Shape): Promise<string> => {
    const path = join(folder, 'document.json');
    const file = await open(path, 'w');
    let left = 64 * mebibyte - tail.length;
    let text = head;
    for (let index = 0; left > 0; index += 1) {
      const next = index === 0 || tail === '' ? element(index) : `,${element(index)}`;
      if (text.length + next.length > left) left = 0;
      else text += next;
      if (left > 0 && text.length < mebibyte) continue;
      // oxlint-disable-next-line no-await-in-loop -- in order
      await file.write(text);
      left -= left > 0 ? text.length : 0;
      text = '';
    }
    await file.write(tail);
    await file.close();
    return path;
  };

  for (const shape of shapes)
    it(`of 64 MiB stays within 512 MiB: ${shape.name}`, async () => {
      const printPeak = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', printPeak, bin, 'import', '--dry-run', await write(shape)],
        { encoding: 'utf8' },
      );
      expect([status, stdout.includes('dry run')], stderr).to.deep.equal([0, true]);
      expect(Number(/(\d+)\s*$/.exec(stderr)?.[1]) / 1024).to.be.within(100, 512);
    });
});

const withCues = (count: number) =>
  readDocument([Buffer.from(`WEBVTT\n\n${'00:00:00.000 --> 00:00:01.000\n<v Ann>b\n\n'.repeat(count)}`)]);

describe('import of a file: number of subtitle cues', () => {
  it('accepts as many cues as an analysis may have utterances, and refuses more with the line of the first too many', () => {
    expect(right(withCues(200_000)).imported.speech?.summary.rows).to.equal(200_000);
    expect(left(withCues(shortOrLong(250_000, 900_000)))).to.deep.equal({
      place: 600_003,
      message: 'more than 200,000 cues',
    });
  });
});
