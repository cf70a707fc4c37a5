import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rooms = ['domain', 'application', 'projections', 'adapters', 'tests'];

const Report = t.type({
  summary: t.type({
    totalCruised: t.number,
    violations: t.array(t.type({ from: t.string, to: t.string, rule: t.type({ name: t.string }) })),
  }),
});

const cruise = (folder: string) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
      ...rooms,
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const report = Report.decode(stdout === '' ? null : JSON.parse(stdout));
  if (E.isLeft(report)) throw new Error(`no report: ${stderr}`);
  const { totalCruised, violations } = report.right.summary;
  return { totalCruised, violations: violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`) };
};

const breaches = {
  'domain/video/decider.ts': "import { readFileSync } from 'node:fs'; export const a = readFileSync;",
  'domain/audio/decider.ts': "import { a } from '../video/decider.js'; export const b = a;",
  'application/run.ts': "import { c } from '../adapters/http/app.js'; export const d = c;",
  'projections/rows.ts': "import { a } from '../domain/video/decider.js'; export const e = a;",
  'adapters/http/app.ts': "import { f } from '../cli/help.js'; export const c = f;",
  'adapters/cli/help.ts': "import express from 'express'; export const f = express;",
  'tests/a.test.ts': 'export {};',
};

describe('the import laws of the house', function () {
  this.timeout(120_000);

  it('hold in every module', () => {
    const { totalCruised, violations } = cruise(root);
    expect(totalCruised).to.be.greaterThan(150);
    expect(violations).to.deep.equal([]);
  });

  it('are broken by a house that breaks them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'house-'));
    for (const [file, text] of Object.entries(breaches)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    writeFileSync(join(folder, 'tsconfig.json'), '{}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const broken = new Set(cruise(folder).violations.map((violation) => violation.split(':')[0]));
    rmSync(folder, { recursive: true });
    expect(broken).to.include.keys(
      'domain-is-pure',
      'aggregates-know-contracts',
      'application-orders-steps',
      'projections-know-events',
      'adapters-are-strangers',
      'home-of-express',
    );
  });
});
