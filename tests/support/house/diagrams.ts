import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The imports of a project, and the import rules that it breaks. */
export const cruise = (house: string) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
      ...rooms.filter((room) => existsSync(join(house, room))),
    ],
    { cwd: house, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
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

/** The page with the diagrams. A comment before each block names its diagram. */
const page = join(root, 'docs/architecture.md');

interface Arrow {
  readonly from: string;
  readonly to: string;
}

const byName = (one: string, other: string): number => (one < other ? -1 : 1);

/** A flow chart with a line for each folder: the folders that it leads to. */
const chart = (arrows: ReadonlyArray<Arrow>, shownAs: (folder: string) => string): string => {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const lines = [...targets]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([from, to]) => `  ${shownAs(from)} --> ${[...to].toSorted(byName).map(shownAs).join(' & ')}`);
  return ['flowchart TD', ...lines].join('\n');
};

const isOurs = (file: string): boolean => /^(?:domain|application|projections|adapters)\//.test(file);

/** The folder of a file in the diagram of all folders: adapters one by one, the rest as a whole. */
const roomOf = (file: string): string => {
  const [room = '', folder = ''] = file.split('/');
  return room === 'adapters' && !folder.endsWith('.ts') ? `adapters/${folder}` : room;
};

/** The folders and what they import. `composition` imports all adapters, and `runtime` is imported by all. */
const drawFolders = (imports: ReadonlyArray<Arrow>): string =>
  chart(
    imports
      .filter(({ from, to }) => isOurs(from) && isOurs(to))
      .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
      .filter(({ from, to }) => ![from, to].some((room) => /^adapters(?:\/(?:composition|runtime))?$/.test(room))),
    (room) => room.replace('adapters/', ''),
  );

/** The folder of a file in the diagram of a request; null for what everything imports. */
const stationOf = (file: string): string | null => {
  const [room = '', folder = '', name] = file.split('/');
  if (file === 'application/perform.ts') return file.replace('.ts', '');
  return name === undefined || /^(?:kernel|runtime|composition)$/.test(folder) ? null : `${room}/${folder}`;
};

const port = 'application/ports/';

/**
 * Calls between the files of a request: imports, and for a port the way from the caller to the adapter that implements
 * it.
 */
const callsIn = (imports: ReadonlyArray<Arrow>, files: ReadonlySet<string>): ReadonlyArray<Arrow> => {
  const between = imports.filter(({ from, to }) => files.has(from) && files.has(to));
  const ofPorts = imports.filter(({ from, to }) => files.has(from) && to.startsWith(port));
  const isAdapter = ({ from }: Arrow): boolean => from.startsWith('adapters/');
  const throughPorts = ofPorts
    .filter((call) => !isAdapter(call) || call.from.startsWith('adapters/http/'))
    .flatMap((call) =>
      ofPorts
        .filter((made) => isAdapter(made) && !made.from.startsWith('adapters/http/') && made.to === call.to)
        .map((made) => ({ from: call.from, to: made.from })),
    );
  return [...between, ...throughPorts];
};

/** The files that a PUT of a match runs through, as its benchmark counts them. */
const filesOfRequest = (): ReadonlySet<string> => {
  const script = join(root, 'dist/tests/benchmarks/files-of-a-request.js');
  const { stdout } = spawnSync(process.execPath, [script, '--list'], { encoding: 'utf8', timeout: 120_000 });
  const list = stdout.split('\nPUT speaker-face-match that names a speaker\n')[1]?.split('\n\n')[0] ?? '';
  // Read models follow the log beside the request.
  return new Set(
    list
      .split('\n')
      .map((line) => line.trim().replace(/\.js$/, '.ts'))
      .filter((file) => isOurs(file) && !/^(?:projections|application\/processes)\//.test(file)),
  );
};

const drawRequest = (imports: ReadonlyArray<Arrow>): string =>
  chart(
    callsIn(imports, filesOfRequest()).flatMap(({ from, to }) => {
      const [start, end] = [stationOf(from), stationOf(to)];
      return start === null || end === null ? [] : [{ from: start, to: end }];
    }),
    (station) => station,
  );

/** The diagrams, made from the code as it is. */
export const drawn = (): Readonly<Record<'folders' | 'request', string>> => {
  const { imports } = cruise(root);
  return { folders: drawFolders(imports), request: drawRequest(imports) };
};

const blockOf = (name: string): RegExp => new RegExp(`(<!-- drawn: ${name} -->\\n\`\`\`mermaid\\n)([^]*?)(\\n\`\`\`)`);

/** A diagram as it stands in the page. */
export const standing = (name: string): string => blockOf(name).exec(readFileSync(page, 'utf8'))?.[2] ?? '';

/** Puts the diagrams into the page. */
export const redraw = (): void => {
  let text = readFileSync(page, 'utf8');
  for (const [name, diagram] of Object.entries(drawn()))
    text = text.replace(blockOf(name), (_, start: string, _old: string, end: string) => start + diagram + end);
  writeFileSync(page, text);
};
