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

  it('takes times with an offset, and days', async () => {
    const all = await said('usage', 'admin');
    for (const from of ['2001-02-03', '2001-02-03T04:05+01:00'])
      expect(await said('usage', 'admin', '--from', from), from).to.equal(all);
    expect(await said('ledger', 'admin', '--to', '2001-02-03T04:05Z')).to.equal('');
    const { code, err } = await credits('ledger', 'admin', '--from', '2026-01-31T12:00');
    expect([code, err.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--from <time>' argument '2026-01-31T12:00' is invalid. It must be a time, written with its offset, as in 2026-01-31T12:00Z or 2026-01-31T13:00:00+01:00, or as a day (from 00:00 in UTC), as in 2026-01-31.",
    ]);
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
    expect(help)
      .to.include('the key of a customer needs no permission')
      .and.include('reach the media of ALL accounts: never for a customer');
  });

  it('exits with 2 on a usage error', async () => {
    const wrongs = [
      ['grant', 'admin', '-1', '--reason', 'x'],
      ['grant', 'admin', '1.0000001', '--reason', 'x'],
      ['correct', 'admin', '1', '--reason', 'x'],
      ['grant', 'admin', '1'],
      ['window', 'admin', '--limit', '5'],
      ['window', 'admin', '--limit', '-1', '--period', '60'],
      ['grant', 'admin', '1000000000', '--reason', 'x'],
      ['show'],
      ['show', 'admin', '--url', 'ftp://x'],
    ];
    for (const wrong of wrongs) {
      const { code, err, out } = await credits(...wrong);
      expect(code, `${wrong.join(' ')}: ${err}`).to.equal(2);
      expect(err).to.match(/^error: /);
      expect(out).to.equal('');
    }
  });

  it('exits with 1 and the message of the service if it refuses or cannot be reached', async () => {
    const unknown = await credits('show', 'nobody');
    expect(unknown.code).to.equal(1);
    expect(unknown.err).to.include('404 unknown_account: The account nobody does not exist');
    const malformed = await credits('window', 'admin', '--limit', '1', '--period', '99999999');
    expect([malformed.code, malformed.err]).to.deep.equal([
      1,
      'error: 422 malformed_body: period_seconds must be a whole number of seconds from 1 to 31,622,400\n',
    ]);
    const absent = await credits('show', 'admin', '--url', 'http://127.0.0.1:9');
    expect(absent.code).to.equal(1);
    expect(absent.err).to.include('no answer from http://127.0.0.1:9');
  });
});
