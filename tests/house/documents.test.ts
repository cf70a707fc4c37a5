import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { readConfig } from '../../adapters/config/config.js';
import { openApiDocument } from '../../adapters/http/description/openapi.js';
import { endpoints } from '../../adapters/http/endpoints.js';
import { operations } from '../../adapters/runtime/operations.js';
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

const pageOf = (name: string): string => textOf(join(docs, name));
const allPages = documents.map(textOf).join('\n');

/** Every object in a JSON value, including the value itself. */
const objectsIn = (value: unknown): ReadonlyArray<Record<string, unknown>> => {
  if (t.UnknownArray.is(value)) return value.flatMap(objectsIn);
  return t.UnknownRecord.is(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
};

const openApi = async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
  objectsIn(JSON.parse(JSON.stringify(openApiDocument(endpoints, '0', new Map()))));

/** Names that the pages do not contain as words. */
const missingFrom = (page: string, names: Iterable<string>): ReadonlyArray<string> =>
  [...new Set(names)].filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(page));

/** Whether a page contains the path, or its end after an ellipsis. */
const hasPath = (page: string, path: string): boolean => {
  const parts = path.split('/');
  return parts.some((_, cut) => {
    const end = parts.slice(cut).join('/');
    return cut <= 1 ? page.includes(`${path}\``) || page.includes(`${path}?`) : page.includes(`…/${end}`);
  });
};

describe('the reference documents', () => {
  it('list every endpoint', () => {
    const table = pageOf('http.md').split('## Endpoints')[1]?.split('## Order of checks')[0] ?? '';
    const paths = Object.values(operations).map((operation) => operation.split(' ')[1] ?? '');
    expect(paths.filter((path) => !hasPath(table, path))).to.deep.equal([]);
  });

  it('list every error code', async () => {
    const codes = (await openApi()).flatMap(({ 'x-codes': found }) => (t.UnknownArray.is(found) ? found : []));
    const texts = codes.filter(t.string.is);
    expect(texts).to.have.length.above(50);
    expect(missingFrom(pageOf('http-errors.md'), texts)).to.deep.equal([]);
  });

  it('name every field and parameter of the HTTP API', async () => {
    const objects = await openApi();
    const fields = objects.flatMap(({ properties }) => (t.UnknownRecord.is(properties) ? Object.keys(properties) : []));
    const parameters = objects.flatMap(({ in: place, name }) =>
      t.string.is(place) && t.string.is(name) ? [name] : [],
    );
    expect(fields).to.have.length.above(100);
    expect(missingFrom(allPages, [...fields, ...parameters])).to.deep.equal([]);
  });

  it('list every environment variable of the service', () => {
    const read = new Set<string>();
    readConfig(
      new Proxy<Record<string, string | undefined>>(
        {},
        {
          get: (_, name) => {
            if (t.string.is(name)) read.add(name);
            return undefined;
          },
        },
      ),
    );
    expect(read.size).to.be.above(30);
    expect(missingFrom(pageOf('configuration.md'), read)).to.deep.equal([]);
  });
});
