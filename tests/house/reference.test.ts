import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { readConfig } from '../../adapters/config/config.js';
import { openApiDocument } from '../../adapters/http/description/openapi.js';
import { operations } from '../../adapters/runtime/operations.js';
import { endpoints } from '../../adapters/http/endpoints.js';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
const pageOf = (name: string): string => readFileSync(join(docs, name), 'utf8');
const allPages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map(pageOf)
  .join('\n');

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
