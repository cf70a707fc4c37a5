import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise, root } from '../support/house/diagrams.js';

const breaches = {
  'domain/video/decider.ts': "import { readFileSync } from 'node:fs'; export const a = readFileSync;",
  'domain/audio/decider.ts': "import { a } from '../video/decider.js'; export const b = a;",
  'domain/form-1.ts': "import type { C } from '../adapters/http/app.js'; export type D = C;",
  'domain/form-2.ts': "export const load = () => import('../adapters/http/app.js');",
  'domain/form-3.ts': "export * from '../adapters/http/part.js';",
  'application/run.ts': "import { c } from '../adapters/http/app.js'; export const d = c;",
  'projections/rows.ts': "import { a } from '../domain/video/decider.js'; export const e = a;",
  'adapters/http/app.ts': 'export const c = 1;',
  'adapters/http/part.tsx': 'export const d = <p />;',
  'adapters/cli/help.ts':
    "import express from 'express'; import { c } from '../http/app.js'; export const f = [express, c];",
  'tests/a.test.ts': 'export {};',
};

/** The rules that a project of these files breaks, and where. */
const violationsIn = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'house-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { violations } = cruise(folder);
  rmSync(folder, { recursive: true });
  return violations;
};

describe('the import rules', function () {
  this.timeout(120_000);

  it('hold in every module', () => {
    const { totalCruised, violations } = cruise(root);
    expect(totalCruised).to.be.greaterThan(150);
    expect(violations).to.deep.equal([]);
  });

  it('are broken in a project that breaks them, by an import of any form', () => {
    const violations = violationsIn(breaches);
    expect(new Set(violations.map((violation) => violation.split(':')[0]))).to.include.keys(
      'domain-is-pure',
      'aggregates-know-contracts',
      'application-orders-steps',
      'projections-know-events',
      'adapters-import-no-siblings',
      'folder-of-express',
    );
    const forms = violations.filter((violation) => violation.startsWith('domain-stands-alone: domain/form-'));
    expect(forms).to.have.lengthOf(3);
  });
});
