import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { type ServiceInProcess, adminKey, startServiceInProcess } from '../support/service-process.js';

describe('media-analysis keys', function () {
  this.timeout(120_000);
  let folder: string;
  let service: ServiceInProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-'));
    service = await startServiceInProcess(folder);
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const keys = async (...args: ReadonlyArray<string>): Promise<unknown> => {
    const env = { MEDIA_ANALYSIS_URL: service.url, ADMIN_API_KEY: adminKey };
    const { code, out, err } = await runCommand(['keys', ...args], env);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };

  it('opens, renames and lists accounts', async () => {
    expect(await keys('open-account', 'acme', '--name', 'Acme')).to.include({ account_id: 'acme', name: 'Acme' });
    expect(await keys('rename-account', 'acme', 'Acme Ltd')).to.include({ account_id: 'acme', name: 'Acme Ltd' });
    await keys('open-account', 'aaa');
    expect(await keys('accounts', '--json')).to.have.nested.property('accounts.length', 3);
    expect(await keys('accounts', '--json')).to.have.nested.property('accounts[1].name', 'Acme Ltd');
  });

  it('issues keys without permissions by default, and warns of what permissions reach', async () => {
    expect(await keys('issue', 'acme', '--label', 'server')).to.deep.include({ admin: false, permissions: [] });
    const { out } = await runCommand(['keys', 'issue', '--help'], {});
    const help = out.replaceAll(/\s+/g, ' ');
    expect(help)
      .to.include('the key of a customer needs no permission')
      .and.include('reach the media of ALL accounts: never for a customer');
  });
});
