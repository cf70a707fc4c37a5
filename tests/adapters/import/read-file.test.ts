import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { readDocument, readImportFile } from '../../../adapters/import/read-document.js';
import { linesIn, textBlocks } from '../../../adapters/import/text.js';
import { left, right } from './support.js';

const turn = (onset: string): string => `SPEAKER clip 1 ${onset} 1.0 <NA> <NA> Zoë <NA> <NA>`;

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

const linesOfBytes = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<string> =>
  [...textBlocks(chunks, 1_000_000)].flatMap(linesIn);

describe('readImportFile', () => {
  let folder = '';
  const write = async (content: string | Uint8Array): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, content);
    return path;
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('refuses XML that is nested too deep', () => {
    const { message } = left(readDocument([Buffer.from(`<a>${'<b>'.repeat(5_000)}${'</b>'.repeat(5_000)}</a>`)]));
    expect(message).to.match(/^not valid XML: /);
  });

  it('skips and counts any number of blank lines before the first row', async () => {
    for (const blank of ['', '\n', ' \r\n\t\n'.repeat(30_000), '\n'.repeat(3_000_000), `${' '.repeat(70_000)}\n`]) {
      const { imported } = right(readImportFile(await write(`${blank}${turn('1')}\n${turn('3')}\n`)));
      expect(imported.speech?.segments).to.have.length(2);
      const { place } = left(readImportFile(await write(`${blank}${turn('1')}\nnonsense\n`)));
      expect(place).to.equal(blank.split('\n').length + 1);
      const empty = left(readImportFile(await write(blank)));
      expect(empty.message).to.equal('the file is empty');
    }
  });

  it('converts UTF-16 without a byte order mark', async () => {
    const plain = right(readImportFile(await write(turn('1'))));
    const little = Buffer.from(turn('1'), 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()])
      expect(right(readImportFile(await write(bytes)))).to.deep.equal(plain);
  });

  it('refuses a recording at its first bytes, although many of them are zero', () => {
    const head = Buffer.alloc(256);
    head.write('\0\0\0\u0020ftypisom\0\0\u0002\0isomiso2avc1mp41\0\0\u000B\u00B8moov\0\0\0lmvhd', 'latin1');
    let read = 0;
    const chunks = function* (): Generator<Uint8Array> {
      for (; read < 100; read += 1) yield Buffer.concat([head, Buffer.from('\n')]);
    };
    expect(left(readDocument(chunks())).message).to.include('it is no text');
    expect(read).to.be.lessThan(3);
  });

  it('finds the same lines wherever the stream is split into chunks', async () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('\uFEFFmark'), fc.constant('')), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const lines = ['first', ...parts.map((part) => part.replaceAll(/[\r\n]/g, ''))];
        const bytes = Buffer.from(`${lines.join('\r\n')}\r\nlast`);
        expect(linesOfBytes(cut(bytes, size))).to.deep.equal([...lines, 'last']);
      }),
    );
  });

  it('reads or refuses in time documents that are made to be slow', () => {
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
});
