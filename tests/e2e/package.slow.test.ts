import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { isLongForm } from '../support/long-form.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const Packed = t.array(t.type({ filename: t.string, size: t.number, files: t.array(t.type({ path: t.string })) }));
const Manifest = t.type({ dependencies: t.record(t.string, t.string) });

/** The modules that are started as threads and processes. */
const scripts = (): ReadonlyArray<string> =>
  readdirSync(join(root, 'adapters'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(root, 'adapters', file), 'utf8').matchAll(/compiledScript\('(.+?)'\)/g)])
    .map(([, place]) => `dist/adapters/${place}`);

/** `npm test` does this, but `npx tsc` does not. */
const bundle = (): void => {
  if (readFileSync(join(root, 'dist/adapters/bin.js'), 'utf8').includes('/chunks/')) return;
  execFileSync(process.execPath, [join(root, 'adapters/cli/bundle.mjs')]);
};

const parsed = <Value>(codec: t.Type<Value>, text: string): Value => {
  const value: unknown = JSON.parse(text);
  if (!codec.is(value)) throw new Error(`another shape: ${text.slice(0, 200)}`);
  return value;
};

describe('the package', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const installed = join(folder, 'node_modules/media-analysis');
  let packed: t.TypeOf<typeof Packed>[number] | undefined;

  const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
    execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  /** Installs the dependencies of the package, and no others. */
  const unpack = (file: string): void => {
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
    const { dependencies } = parsed(Manifest, readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link);
    }
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    chmodSync(join(installed, 'dist/adapters/bin.js'), 0o755);
    symlinkSync('../media-analysis/dist/adapters/bin.js', join(folder, 'node_modules/.bin/media-analysis'));
  };

  before(() => {
    bundle();
    packed = parsed(Packed, npm(root, 'pack', '--json', '--pack-destination', folder))[0];
    const file = join(folder, packed?.filename ?? '');
    // An installation from a registry is slow and needs a network: only the long form does it.
    if (isLongForm) npm(folder, 'install', '--no-audit', '--no-fund', file);
    else unpack(file);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contains everything that runs, in less than 1 MB, and no tests', () => {
    expect(packed?.size).to.be.below(1_000_000);
    const paths = packed?.files.map(({ path }) => path) ?? [];
    expect(paths.filter((path) => /(?:^|\/)tests?\/|\.test\.|\.ts$(?<!\.d\.ts)|\.map$/.test(path))).to.deep.equal([]);
    expect(paths).to.include.members(['dist/adapters/bin.js', 'dist/adapters/client/index.d.ts', 'README.md']);
    expect(scripts()).to.have.lengthOf.above(1);
    expect(paths).to.include.members(scripts());
  });

  it('runs the demo in an empty folder', () => {
    expect(readdirSync(folder)).to.not.include('dist');
    const env = { PATH: process.env['PATH'], HOME: folder, PORT: '0' };
    const demo = spawnSync('npx', ['--offline', 'media-analysis', 'demo'], { cwd: folder, env, encoding: 'utf8' });
    expect(demo.stdout + demo.stderr).to.include('Done: the service stops');
    expect(demo.status).to.equal(0);
  });
});
