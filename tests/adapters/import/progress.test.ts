import { expect } from 'chai';
import { progressOn } from '../../../adapters/cli/terminal.js';
import { readImportFile } from '../../../adapters/import/read-document.js';
import { avaFaces, right } from './support.js';

const megabyte = 1_000_000;

const shownOn = (isTTY: boolean | undefined, steps: ReadonlyArray<number>, size: number): ReadonlyArray<string> => {
  const written: string[] = [];
  const show = progressOn({ ...(isTTY === undefined ? {} : { isTTY }), write: (text) => written.push(text) });
  steps.forEach((read) => show('faces.csv', read * megabyte, size * megabyte));
  return written;
};

describe('import progress', () => {
  it('is a bar on a terminal, updated at each percent and removed at the end', () => {
    const shown = shownOn(true, [50, 50.1, 75, 100], 100);
    expect(shown).to.have.length(3);
    expect(shown[0]).to.equal('\r\u001B[K###############............... 50 % 50 MB faces.csv');
    expect(shown[2]).to.equal('\r\u001B[K');
  });

  it('is not shown for small files, nor without a terminal', () => {
    expect(shownOn(true, [1, 2], 2)).to.deep.equal([]);
    expect(shownOn(undefined, [50, 100], 100)).to.deep.equal([]);
  });

  it('reports every byte that is read', async () => {
    const reports: (readonly [number, number])[] = [];
    right(readImportFile(avaFaces, {}, (read, size) => reports.push([read, size])));
    const [read, size] = reports.at(-1) ?? [0, -1];
    expect(read).to.equal(size);
  });
});
