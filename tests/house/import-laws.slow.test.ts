import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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

/** The imports of a source text in any form, including type imports. A sentence that looks like an import counts as one. */
const importsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*(['"`])([^'"`\s]+)\1/g)].map(([, , name = '']) => name),
  ),
];

/** The source file of a compiled file name. */
const sourceOf = (folder: string, name: string): string => {
  const sources = name.startsWith('.') ? ['.ts', '.tsx'].map((ending) => name.replace(/\.js$/, ending)) : [];
  return sources.find((source) => existsSync(join(folder, source))) ?? name;
};

/** Copies the modules below a folder, reduced to their imports, because parsing everything else takes long. */
const copyImports = (from: string, to: string): void => {
  for (const room of rooms.filter((name) => existsSync(join(from, name))))
    for (const entry of readdirSync(join(from, room), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(tsx?|[cm]?js)$/.test(entry.name)) continue;
      const folder = join(to, relative(from, entry.parentPath));
      const imports = importsOf(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, entry.name),
        imports.map((name) => `import '${sourceOf(entry.parentPath, name)}';\n`).join(''),
      );
    }
  writeFileSync(join(to, 'tsconfig.json'), '{}');
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
};

const cruise = (house: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  copyImports(house, folder);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
      ...rooms.filter((room) => existsSync(join(folder, room))),
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  rmSync(folder, { recursive: true });
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

/** Each breaks the law that the domain knows no adapter. */
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

/** Creates a project with these files. Returns the laws that it breaks, and where. */
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

describe('the import laws of the house', function () {
  this.timeout(120_000);

  it('hold in every module', () => {
    const { totalCruised, violations } = cruise(root);
    expect(totalCruised).to.be.greaterThan(150);
    expect(violations).to.deep.equal([]);
  });

  describe('in a house that breaks them', () => {
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
        'adapters-are-strangers',
        'home-of-express',
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
