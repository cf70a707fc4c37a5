import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import * as t from 'io-ts';
import { openApiDocument } from '../../adapters/http/description/openapi.js';
import { packageVersion } from '../../adapters/runtime/package-files.js';
import { endpoints } from '../../adapters/http/endpoints.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = join(root, 'node_modules/@redocly/cli/bin/cli.js');

/** Runs redocly on files, without network access. */
export const redocly = <Said>(codec: t.Type<Said>, command: string, ...files: ReadonlyArray<string>): Said => {
  const said: unknown = JSON.parse(
    execFileSync(process.execPath, [program, command, ...files, '--format=json'], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64_000_000,
    }),
  );
  if (codec.is(said)) return said;
  throw new Error(`redocly ${command} answered ${JSON.stringify(said).slice(0, 500)}`);
};

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

const file = join(root, 'tests/fixtures/released-openapi.json.gz');

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

/** A change that clients can see. */
export interface Change {
  /** The operation, as `POST /v2/videos`, or the path. */
  readonly at: string;
  readonly message: string;
  /** Whether an existing client may stop working. */
  readonly breaks: boolean;
}

const Found = t.type({
  changes: t.readonlyArray(
    t.intersection([
      t.type({ path: t.string, kind: t.string, impact: t.string }),
      t.partial({
        property: t.string,
        verdicts: t.readonlyArray(t.type({ ruleId: t.string, impact: t.string, message: t.string })),
      }),
    ]),
  ),
});
type Found = t.TypeOf<typeof Found>['changes'][number];

const decoded = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

const placeOf = (pointer: string): readonly [at: string, within: string] => {
  const [, first = '', path = '', method, ...rest] = pointer.split('/').map(decoded);
  if (first !== 'paths') return [[first, path].join(' ').trim(), ''];
  const isMethod = method !== undefined && /^(get|put|post|delete|patch)$/.test(method);
  return [isMethod ? `${method.toUpperCase()} ${path}` : path, rest.join('/')];
};

/** Limits of values in answers are informative: no client stops working if they change. */
const isLimitOfAnswer = ({ ruleId }: { readonly ruleId: string }, within: string): boolean =>
  ruleId === 'schema-constraint-changed' && within.startsWith('responses/');

const changeOf = ({ path, kind, impact, property, verdicts = [] }: Found): ReadonlyArray<Change> => {
  const [at, within] = placeOf(path);
  if (verdicts.length === 0)
    return impact === 'patch' ? [] : [{ at, message: `${kind} ${[within, property].join(' ').trim()}`, breaks: false }];
  return verdicts.map((verdict) => ({
    at,
    message: verdict.message,
    breaks: verdict.impact === 'major' && !isLimitOfAnswer(verdict, within),
  }));
};

const missing = <Item>(before: ReadonlyArray<Item> = [], after: ReadonlyArray<Item> = []): ReadonlyArray<Item> =>
  before.filter((item) => !after.includes(item));

/** Error codes and permissions, for which OpenAPI has no fields. */
const ownChanges = (base: Contract, revision: Contract): ReadonlyArray<Change> =>
  Object.entries(base.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const after = revision.paths[path]?.[method];
      if (after === undefined) return [];
      const at = `${method.toUpperCase()} ${path}`;
      const changesFor = (verb: string, items: ReadonlyArray<unknown>, breaks: boolean): ReadonlyArray<Change> =>
        items.map((item) => ({ at, message: `${verb} ${String(item)}`, breaks }));
      const [was, is] = [before['x-access'], after['x-access']];
      const codes = Object.entries(before.responses ?? {}).flatMap(([status, { 'x-codes': old }]) => {
        const now = after.responses?.[status]?.['x-codes'];
        if (now === undefined) return [];
        return [
          ...changesFor(`${status} is no longer answered with the code`, missing(old, now), true),
          ...changesFor(`${status} may have the new code`, missing(now, old), false),
        ];
      });
      return [
        ...changesFor('no longer open to', missing(was, is), true),
        ...changesFor('now open to', missing(is, was), false),
        ...codes,
      ];
    }),
  );

/** The changes from one document to another, and whether they break clients. */
export const changesBetween = (base: Contract, revision: Contract): ReadonlyArray<Change> => {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
  const [before, after] = [join(folder, 'before.json'), join(folder, 'after.json')];
  try {
    writeFileSync(before, JSON.stringify(base));
    writeFileSync(after, JSON.stringify(revision));
    const { changes } = redocly(Found, 'diff', before, after, '--fail-on=none');
    return [...changes.flatMap(changeOf), ...ownChanges(base, revision)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
