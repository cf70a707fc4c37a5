import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { type ServiceInProcess, adminKey, startServiceInProcess } from '../support/service-process.js';

describe('media-analysis credits and keys', function () {
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

  const run = (...args: ReadonlyArray<string>) =>
    runCommand(args, { MEDIA_ANALYSIS_URL: service.url, ADMIN_API_KEY: adminKey });
  const credits = (...args: ReadonlyArray<string>) => run('credits', ...args);
  const keys = async (...args: ReadonlyArray<string>): Promise<unknown> => {
    const { code, out, err } = await run('keys', ...args);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };
  const said = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, out, err } = await credits(...args);
    expect(code, err).to.equal(0);
    return out;
  };

  it('grants, corrects, limits, and shows the result and the ledger page by page', async () => {
    const unused = { account_id: 'admin', balance: 0, held: 0, window: null };
    expect(JSON.parse(await said('show', 'admin', '--json'))).to.deep.equal(unused);
    expect(await said('ledger', 'admin')).to.equal('');
    expect(await said('grant', 'admin', '12.5', '--reason', 'top-up')).to.equal('admin: 12.5 credits\n');
    expect(await said('correct', 'admin', '-2.000001', '--reason', 'a slip')).to.equal('admin: 10.499999 credits\n');
    expect(await said('window', 'admin', '--limit', '5', '--period', '60')).to.include('at most 5 credits in 60 s');
    const window = 'spending window: 0 of 5 credits spent in the last 60 s';
    expect(await said('show', 'admin')).to.equal(`admin: 10.499999 credits\n${window}\n`);
    expect(await said('window', 'admin')).to.include('no spending window');
    expect(JSON.parse(await said('show', 'admin', '--json'))).to.deep.equal({ ...unused, balance: 10.499999 });
    const [header, first, more] = (await said('ledger', 'admin', '--limit', '1')).split('\n');
    expect(header).to.match(/^time +kind +amount +balance +reason +run or session +request$/);
    expect(first).to.match(/  correction  -2\.000001  10\.499999  a slip  - +\S+$/);
    const cursor = /^more: --cursor (\S+)$/.exec(more ?? '')?.[1] ?? '';
    const second = await said('ledger', 'admin', '--limit', '1', '--cursor', cursor);
    expect(second)
      .to.match(/  grant  12\.5    12\.5     top-up  /)
      .and.not.to.include('more:');
    expect(JSON.parse(await said('ledger', 'admin', '--json'))).to.have.nested.property('entries.length', 2);
  });

  it('opens, renames and lists accounts and keys, which have no permissions by default', async () => {
    expect(await keys('open-account', 'acme', '--name', 'Acme')).to.include({ account_id: 'acme', name: 'Acme' });
    expect(await keys('rename-account', 'acme', 'Acme Ltd')).to.include({ account_id: 'acme', name: 'Acme Ltd' });
    expect((await run('keys', 'accounts')).out).to.match(/^account +name +created\n(?:.*\n)*acme +Acme Ltd +\S+Z\n/);
    expect(await keys('accounts', '--json')).to.have.nested.property('accounts.length', 2);
    expect(await keys('issue', 'acme', '--label', 'server')).to.deep.include({ admin: false, permissions: [] });
    await keys('issue', 'acme', '--label', 'worker', '--permission', 'WORKER');
    expect((await run('keys', 'list', 'acme')).out).to.match(
      /^key +label +may +created +expires +revoked\n(?:.*\n)?\S+ +worker +WORKER +\S+Z +never +-\n/,
    );
    expect(await keys('list', 'acme', '--json')).to.have.nested.property('keys.length', 2);
    const help = (await runCommand(['keys', 'issue', '--help'])).out.replaceAll(/\s+/g, ' ');
    expect(help).to.include('reach the media of ALL accounts: never for a customer');
  });

  it('exits with 2 on a usage error, and with 1 and its message if the service refuses or cannot be reached', async () => {
    const unreachable = ['credits', 'show', 'admin', '--url', 'http://127.0.0.1:9'];
    const malformed = 'error: 422 malformed_body: ';
    for (const [args, exit, message] of [
      [['credits', 'correct', 'admin', '1', '--reason', 'x'], 2, 'error: '],
      [['credits', 'grant', 'admin', '1'], 2, 'error: '],
      [['credits', 'grant', 'admin', '1000000000', '--reason', 'x'], 2, `${malformed}amount must be`],
      [['keys', 'issue', 'admin', '--expires-in', '59'], 2, `${malformed}expires_in_seconds must be`],
      [
        ['credits', 'ledger', 'admin', '--from', '2026-01-31T12:00'],
        2,
        'It must be a time, written with its offset, as in',
      ],
      [['credits', 'show', 'nobody'], 1, '404 unknown_account: The account nobody does not exist'],
      [unreachable, 1, 'no answer from http://127.0.0.1:9'],
    ] as const) {
      const { code, err, out } = await run(...args);
      expect([code, out], args.join(' ')).to.deep.equal([exit, '']);
      expect(err).to.include(message);
    }
  });
});
