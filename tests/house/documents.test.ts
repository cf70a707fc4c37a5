import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { runCommand } from '../support/e2e/command.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const docs = join(root, 'docs');

const documents = [
  join(root, 'README.md'),
  ...readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(docs, name)),
];
const textOf = (file: string): string => readFileSync(file, 'utf8');
const nameOf = (file: string): string => relative(root, file);

/** The anchor of a heading: lower case, without punctuation, hyphens for spaces. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```/gm, '');

/** Links to other files, and to places in them. Those to other sites are not followed. */
const linksOf = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

const brokenLinks = (file: string, text: string): ReadonlyArray<string> =>
  linksOf(text).filter((target) => {
    const [path = '', anchor] = target.split('#');
    const linked = path === '' ? file : join(dirname(file), decodeURIComponent(path));
    if (!existsSync(linked)) return true;
    return anchor !== undefined && (statSync(linked).isDirectory() || !anchorsOf(textOf(linked)).has(anchor));
  });

const Package = t.type({ scripts: t.record(t.string, t.string) });

const scriptsOf = (): ReadonlySet<string> => {
  const parsed: unknown = JSON.parse(textOf(join(root, 'package.json')));
  if (!Package.is(parsed)) throw new Error('package.json has no scripts');
  return new Set(Object.keys(parsed.scripts));
};

/** Commands of the command line as documents name them: in code, with the options that follow on the line. */
const commandsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/media-analysis ((?:[a-z][a-z-]*)(?:[^`|;"\n]*))/g)].map(([, command = '']) => command.trim());

const subcommands = /^(?:audit|credits|read-models|events|keys) [a-z][a-z-]*/;

describe('the documents', () => {
  for (const file of documents)
    it(`link to what is there: ${nameOf(file)}`, () => expect(brokenLinks(file, textOf(file))).to.deep.equal([]));

  it('finds a link without a target', () =>
    expect(
      brokenLinks(join(docs, 'x.md'), '[a](none.md) [b](http.md#none) [c](http.md) [d](https://example.com)'),
    ).to.deep.equal(['none.md', 'http.md#none']));

  it('are all sorted in the index', () => {
    const index = linksOf(textOf(join(docs, 'README.md')));
    const pages = documents.map((file) => relative(docs, file)).filter((name) => !name.startsWith('..'));
    expect(pages.filter((page) => page !== 'README.md' && !index.includes(page))).to.deep.equal([]);
  });

  it('name npm scripts that there are', () => {
    const scripts = scriptsOf();
    const named = documents.flatMap((file) =>
      [...textOf(file).matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, script = '']) => ({ in: nameOf(file), script })),
    );
    expect(named).to.have.length.above(10);
    expect(named.filter(({ script }) => !scripts.has(script))).to.deep.equal([]);
  });

  it('name files of this project that there are', () => {
    const named = documents.flatMap((file) =>
      [
        ...textOf(file).matchAll(
          /\b((?:dist\/)?(?:domain|application|projections|adapters|tests)\/[\w./-]*\w\.[jt]s)\b/g,
        ),
      ]
        .map(([, path = '']) => path)
        .map((path) => ({ in: nameOf(file), path })),
    );
    expect(named).to.have.length.above(20);
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).to.deep.equal([]);
  });

  it('name commands and options that the command line has', async () => {
    const named = documents.flatMap((file) =>
      commandsOf(textOf(file)).map((command) => ({ in: nameOf(file), command })),
    );
    expect(named).to.have.length.above(20);
    const helps = new Map<string, Awaited<ReturnType<typeof runCommand>>>();
    for (const { command, in: place } of named) {
      const name = subcommands.exec(command)?.[0] ?? command.split(' ')[0] ?? '';
      const help = helps.get(name) ?? (await runCommand([...name.split(' '), '--help']));
      helps.set(name, help);
      expect(help.code, `${place}: media-analysis ${command}`).to.equal(0);
      for (const [option] of command.matchAll(/(?<= |\[)--[a-z-]+/g))
        if (option !== '--help')
          expect(help.out, `${place}: media-analysis ${command}`).to.match(new RegExp(`${option}\\b`));
    }
  });
});
