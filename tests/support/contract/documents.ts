import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as t from 'io-ts';
import { openApiDocument } from '../../../adapters/http/description/openapi.js';
import { packageVersion } from '../../../adapters/runtime/package-files.js';
import { endpoints } from '../../../adapters/http/endpoints.js';

const Described = t.partial({
  'x-access': t.readonlyArray(t.string),
  responses: t.record(t.string, t.partial({ 'x-codes': t.readonlyArray(t.union([t.string, t.null])) })),
});

/** The parts of an OpenAPI document that are compared; other parts are kept unchanged. */
export const Contract = t.type({
  info: t.type({ version: t.string }),
  paths: t.record(t.string, t.record(t.string, Described)),
});
export type Contract = t.TypeOf<typeof Contract>;

/** Parses a document. Throws if it is not valid. */
export const contractOf = (json: string): Contract => {
  const parsed: unknown = JSON.parse(json);
  if (!Contract.is(parsed)) throw new Error('this is no OpenAPI document of the service');
  return parsed;
};

const file = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'tests/fixtures/released-openapi.json.gz');

/** The document of the last release, without its examples; null before the first one. */
export const releasedContract = (): Contract | null =>
  existsSync(file) ? contractOf(gunzipSync(readFileSync(file)).toString('utf8')) : null;

/** The current document, without examples. */
export const presentContract = async (): Promise<Contract> =>
  contractOf(
    JSON.stringify(openApiDocument(endpoints, packageVersion(), new Map()), (name, value: unknown) =>
      name === 'examples' ? undefined : value,
    ),
  );

/** Stores a document as that of the last release. */
export const keepAsReleased = (contract: Contract): void =>
  writeFileSync(file, gzipSync(JSON.stringify(contract), { level: 9 }));
