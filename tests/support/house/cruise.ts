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
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
const rooms = ['domain', 'application', 'projections', 'adapters', 'tests'];

const Report = t.type({
  modules: t.array(t.type({ source: t.string, dependencies: t.array(t.type({ resolved: t.string })) })),
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

/** The imports of a project, and the import rules that it breaks. */
export const cruise = (house: string) => {
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
  const { modules, summary } = report.right;
  return {
    totalCruised: summary.totalCruised,
    violations: summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`),
    imports: modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    ),
  };
};
