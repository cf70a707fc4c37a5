import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  type Change,
  changesBetween,
  type Contract,
  contractOf,
  presentContract,
  releasedContract,
} from '../../support/contract.js';

const changelog = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'docs/changelog.md');

/** The text under `### Breaking` in the unreleased part of the changelog. */
const breakingIn = (changelog: string): string => {
  const unreleased = changelog.split(/^## /m).find((part) => part.startsWith('Unreleased')) ?? '';
  return unreleased.split(/^### /m).find((part) => part.startsWith('Breaking')) ?? '';
};

const numbersOf = (version: string): readonly [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
};

/** Whether a version announces breaking changes: a higher major version or, before 1.0.0, a higher minor version. */
const isRaised = (released: string, present: string): boolean => {
  const [[wasMajor, wasMinor], [major, minor]] = [numbersOf(released), numbersOf(present)];
  return major > wasMajor || (major === 0 && wasMajor === 0 && minor > wasMinor);
};

/** Reasons against a release: breaking changes that the changelog does not name, and a version that is not raised. */
const unannounced = (
  changes: ReadonlyArray<Change>,
  changelog: string,
  versions: { readonly released: string; readonly present: string },
): ReadonlyArray<string> => {
  const breaking = changes.filter(({ breaks }) => breaks);
  if (breaking.length === 0) return [];
  const named = breakingIn(changelog);
  return [
    ...breaking
      .filter(({ at }) => !named.includes(`\`${at}\``))
      .map(({ at, message }) => `docs/changelog.md does not name \`${at}\` under Breaking: ${message}`),
    ...(isRaised(versions.released, versions.present)
      ? []
      : [`the version is still ${versions.present}, and ${versions.released} was released`]),
  ];
};

type Edit = (text: string) => string;
const replaced =
  (from: string | RegExp, to: string): Edit =>
  (text) => {
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`nothing to change: ${String(from)}`);
    return edited;
  };

/** A path with operations to which each kind of change is applied. */
const small = JSON.stringify({
  post: {
    'x-access': ['owner', 'WORKER'],
    requestBody: {
      content: {
        'application/json': { schema: { type: 'object', properties: { a: { type: 'string', maxLength: 9 } } } },
      },
    },
    responses: {
      200: {
        description: 'Done.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
          },
        },
      },
      409: { description: 'No.', 'x-codes': ['taken', 'gone'] },
    },
  },
});

const breaking: Readonly<Record<string, Edit>> = {
  'an operation is gone': replaced('"post"', '"put"'),
  'a field of the request is required': replaced('"properties":{"a"', '"required":["a"],"properties":{"a"'),
  'a field of the answer is gone': replaced(
    '"properties":{"size":{"type":"number"}},"required":["size"]',
    '"properties":{}',
  ),
  'a code is gone': replaced('["taken","gone"]', '["taken"]'),
  'it is open to fewer': replaced('["owner","WORKER"]', '["owner"]'),
};
const compatible: Readonly<Record<string, Edit>> = {
  'nothing changes': (text) => text,
  'a new code': replaced('["taken","gone"]', '["taken","gone","late"]'),
  'open to more': replaced('["owner","WORKER"]', '["owner","WORKER","MEDIA_WRITE"]'),
  'a new field of the answer': replaced('"size":', '"colour":{"type":"string"},"size":'),
  'a longer field of the request': replaced('"maxLength":9', '"maxLength":10'),
};

/** A document with a path for each change, before or after the change. */
const documentOf = (after: boolean): Contract => {
  const paths = Object.entries({ ...breaking, ...compatible }).map(
    ([what, edit]) => `${JSON.stringify(`/${what}`)}:${after ? edit(small) : small}`,
  );
  return contractOf(`{"openapi":"3.1.1","info":{"title":"x","version":"0.1.0"},"paths":{${paths.join(',')}}}`);
};

describe('changes of the contract', function () {
  this.timeout(60_000);

  it('that break clients are found and distinguished from those that do not', () => {
    const changes = changesBetween(documentOf(false), documentOf(true)).filter(({ breaks }) => breaks);
    const broken = new Set(changes.map(({ at }) => at.replace(/^[A-Z]+ /, '').slice(1)));
    expect([...broken].sort()).to.deep.equal(Object.keys(breaking).sort());
  });

  it('that break clients must be in the changelog, with a raised version', () => {
    const change: Change = { at: 'POST /things', message: 'gone', breaks: true };
    const changelog = '# Changelog\n\n## Unreleased\n\n### Breaking\n\n- `POST /things` is gone.\n\n## 0.1.0\n';
    const raised = { released: '0.1.0', present: '0.2.0' };
    expect(unannounced([change], changelog, raised)).to.deep.equal([]);
    expect(unannounced([{ ...change, breaks: false }], '', { released: '1.0.0', present: '1.0.0' })).to.deep.equal([]);
    expect(unannounced([change], changelog.replace('Breaking', 'Fixed'), raised)).to.have.length(1);
    for (const [released, present] of [
      ['0.1.0', '0.1.1'],
      ['1.1.0', '1.2.0'],
    ] as const)
      expect(unannounced([change], changelog, { released, present })).to.have.length(1);
  });

  it('since the last release are announced if they break clients', async () => {
    const [released, text] = [releasedContract(), readFileSync(changelog, 'utf8')];
    // Before the first release nobody depends on anything. Each release keeps its document.
    if (released === null) {
      expect(text).to.not.match(/^## \d/m);
      return;
    }
    const present = await presentContract();
    const changes = changesBetween(released, present);
    for (const { at, message } of changes.filter(({ breaks }) => breaks))
      process.stdout.write(`      breaks clients: ${at}: ${message}\n`);
    const versions = { released: released.info.version, present: present.info.version };
    expect(unannounced(changes, text, versions)).to.deep.equal([]);
  });
});
