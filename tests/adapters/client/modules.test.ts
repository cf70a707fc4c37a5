import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const folder = new URL('../../../adapters/client/', import.meta.url);

/** The modules that are loaded with a module, itself included: what a bundler keeps where nothing else is asked for. */
const loadedWith = (file: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  if (known.has(file)) return known;
  const text = readFileSync(new URL(file, folder), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?from '\.\/([^']+)'/gm)].map(([, name = '']) => name);
  return imports.reduce<ReadonlySet<string>>((all, name) => loadedWith(name, all), new Set<string>([...known, file]));
};

describe('the modules of the client', () => {
  it('leave the results socket out until results are asked for', () => {
    const all = loadedWith('media-analysis.js');
    expect(all).to.include('transport.js').and.include('pager.js');
    expect(all).to.not.include('results.js');
    expect(readFileSync(new URL('media-analysis.js', folder), 'utf8')).to.include("import('./results.js')");
  });

  it('can be taken one by one: words about an error need no connection', () =>
    expect([...loadedWith('describe.js')].sort()).to.deep.equal(['describe.js', 'errors.js']));
});
