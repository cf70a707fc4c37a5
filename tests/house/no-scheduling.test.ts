import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Words of code that shares the event loop: it gives way to other work, or does its own in parts. */
const words =
  /setImmediate|queueMicrotask|[Ee]vent[- ]?[Ll]oop|nextTurn|[Yy]ield(?:s|ing)?(?: to|IfBusy)|[Gg]iv(?:e|es|ing) way|other work|other requests wait|time slice|slices? of (?:long )?work|in-?parts\b|decideIn|InParts\b/;

const sourcesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith('.ts') ? [join(entry.parentPath, entry.name)] : [],
  );

describe('the domain and the application', () => {
  it('know nothing of the event loop and its turns', () => {
    const sources = ['domain', 'application'].flatMap(sourcesIn);
    expect(sources.length).to.be.greaterThan(100);
    const found = sources.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (words.test(line) ? [`${relative(root, file)}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).to.deep.equal([]);
  });
});
