import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise, root } from '../support/house/diagrams.js';

const breaches = {
  'domain/video/decider.ts': "import { readFileSync } from 'node:fs'; export const a = readFileSync;",
  'domain/audio/decider.ts': "import { a } from '../video/decider.js'; export const b = a;",
  'application/run.ts': "import { c } from '../adapters/http/app.js'; export const d = c;",
  'projections/rows.ts': "import { a } from '../domain/video/decider.js'; export const e = a;",
  'adapters/http/app.ts': "import { f } from '../cli/help.js'; export const c = f;",
  'adapters/cli/help.ts': "import express from 'express'; export const f = express;",
  'tests/a.test.ts': 'export {};',
};

/** Each breaks the rule that the domain imports no adapter. */
const forms: ReadonlyArray<string> = [
  "import '../adapters/http/app.js';",
  "import type { C } from '../adapters/http/app.js'; export type D = C;",
  "import {\n  type C,\n  c,\n} from '../adapters/http/app.js';\nexport const d: C = c;",
  "export * from '../adapters/http/app.js';",
  "export type { C } from '../adapters/http/app.js';",
  "export const load = () => import('../adapters/http/app.js');",
  "export const load = () => import(\n  '../adapters/http/app.js'\n);",
  "export type C = import('../adapters/http/app.js').C;",
  "export const c = require('../adapters/http/app.js');",
  "import { d } from '../adapters/http/part.js'; export const e = d;",
];

/** Creates a project with these files. Returns the rules that it breaks, and where. */
const violationsIn = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'house-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
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

  describe('in a project that breaks them', () => {
    const modules = forms.map((text, index) => [`domain/form-${index}.ts`, text] as const);
    let violations: ReadonlyArray<string>;
    before(() => {
      const parts = { 'adapters/http/part.tsx': 'export const d = <p />;', ...Object.fromEntries(modules) };
      violations = violationsIn({ ...breaches, ...parts });
    });

    it('are broken', () => {
      expect(new Set(violations.map((violation) => violation.split(':')[0]))).to.include.keys(
        'domain-is-pure',
        'aggregates-know-contracts',
        'application-orders-steps',
        'projections-know-events',
        'adapters-import-no-siblings',
        'folder-of-express',
      );
    });

    it('are broken by an import in any form', () => {
      for (const [file, text] of modules)
        expect(
          violations.filter((violation) => violation.startsWith(`domain-stands-alone: ${file} `)),
          text,
        ).to.have.lengthOf(1);
    });
  });
});
