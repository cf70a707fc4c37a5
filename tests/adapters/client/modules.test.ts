import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const folder = new URL('../../../adapters/client/', import.meta.url);

/** A module and all modules that it imports statically: what a bundler includes. */
const loadedWith = (file: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  if (known.has(file)) return known;
  const text = readFileSync(new URL(file, folder), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?from '\.\/([^']+)'/gm)].map(([, name = '']) => name);
  return imports.reduce<ReadonlySet<string>>((all, name) => loadedWith(name, all), new Set<string>([...known, file]));
};

describe('the modules of the client', () => {
  it('do not include the results socket until results are requested', () => {
    const all = loadedWith('media-analysis.js');
    expect(all).to.include('transport.js').and.include('pager.js');
    expect(all).to.not.include('results.js');
    expect(readFileSync(new URL('media-analysis.js', folder), 'utf8')).to.include("import('./results.js')");
  });

  it('can be imported one by one: errors and their descriptions need no transport', () =>
    expect([...loadedWith('errors.js')]).to.deep.equal(['errors.js']));
});
