import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readConfig } from '../../adapters/config/config.js';
import { needs, programOf } from '../support/browser/program.js';
import { root } from '../support/e2e/document-blocks.js';

const examples = join(root, 'docs/examples/deployment');
const fileOf = (name: string): string => readFileSync(join(examples, name), 'utf8');

/** The variables of a file for systemd's `EnvironmentFile`. */
const variablesOf = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fileOf(name)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('the sample files for several machines', () => {
  it('are units that systemd accepts', function () {
    const program = programOf('systemd-analyze');
    needs(this, program, 'systemd-analyze', 'apt-get install -y systemd');
    const folder = mkdtempSync(join(tmpdir(), 'units-'));
    const units = readdirSync(examples).filter((name) => name.endsWith('.service'));
    expect(units).to.have.length.above(2);
    for (const unit of units)
      // The programs are not installed here.
      writeFileSync(join(folder, unit), fileOf(unit).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    const files = units.map((unit) => join(folder, unit));
    const { status, stderr } = spawnSync(program ?? '', ['verify', '--man=no', ...files], { encoding: 'utf8' });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    rmSync(folder, { recursive: true });
  });

  it('are settings that the service accepts, and variables that the documents explain', () => {
    const { EVENT_STORE = '', ...others } = variablesOf('common.env');
    // The certificate is not here.
    const here = EVENT_STORE.replace(/(?<=tlsCAFile=)[^&]+/, join(root, 'package.json'));
    const read = readConfig({ ...others, EVENT_STORE: here });
    expect(E.isLeft(read) ? read.left : []).to.deep.equal([]);
    const explained = ['configuration.md', 'erasure.md'].map((name) => readFileSync(join(root, 'docs', name), 'utf8'));
    const names = ['common.env', 'vault.env'].flatMap((name) => Object.keys(variablesOf(name)));
    expect(names).to.have.length.above(8);
    expect(names.filter((name) => !explained.join('').includes(`\`${name}\``))).to.deep.equal([]);
  });
});
