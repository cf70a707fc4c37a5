import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { allBlocks, fileText, pasted, pastedUntil, root, servesWith } from '../support/e2e/document-blocks.js';
import { freePort } from '../support/processes.js';
import { type World, startWorld } from '../support/world.js';

/** Code that another test runs or parses, by page and language. That test reads the page itself. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/audit-marts.md sql': 'tests/adapters/audit-marts.test.ts',
  'docs/realtime.md html': 'tests/e2e/realtime-document.slow.test.ts',
  'docs/realtime.md js': 'tests/e2e/realtime-document.slow.test.ts',
  'docs/architecture.md mermaid': 'tests/support/house/diagrams.ts',
  'docs/machine-readable.md python': 'tests/e2e/document-blocks.slow.test.ts',
  'docs/machine-readable.md go': 'tests/e2e/document-blocks.slow.test.ts',
};

/** Code that is run here. */
const here: ReadonlySet<string> = new Set([
  'docs/client.md js',
  'docs/protocol-endpoint.md js',
  'docs/operations.md sql',
]);

const isCommand = (line: string): boolean =>
  /^(?:\w+=\S+ )?(?:media-analysis|npm|npx|node|curl|sudo|systemctl|sqlite3|docker|cp|mv|export) /.test(line);

const codeOf = (page: string, language: string): string => {
  const [block, ...others] = allBlocks().filter((one) => one.page === page && one.language === language);
  expect(others).to.deep.equal([]);
  return block?.code ?? '';
};

describe('the code in the documents', function () {
  this.timeout(120_000);
  let world: World;
  let folder: string;
  let eventStorePort: number;
  let env: Readonly<Record<string, string>>;
  before(async () => {
    eventStorePort = await freePort();
    world = await startWorld({
      event_store: 'sqlite',
      eventstore_server: { port: eventStorePort, host: '127.0.0.1', credentials: null, tls: null },
    });
    env = { MEDIA_ANALYSIS_URL: world.url(), MEDIA_ANALYSIS_API_KEY: world.adminKey };
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-code-'));
    for (const part of ['dist', 'docs', 'adapters']) await symlink(join(root, part), join(folder, part));
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/media-analysis'));
    await symlink(join(root, 'node_modules/@eventstore'), join(folder, 'node_modules/@eventstore'));
    const start = /"start": "([^"]*)"/.exec(fileText('package.json'))?.[1] ?? '';
    // The set-up before it would compile under the running tests.
    const script = start.replace('adapters/cli/set-up.mjs', 'dist/adapters/bin.js');
    expect(script).to.not.equal(start);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: script } }));
  });
  after(async () => {
    await world.end();
    await rm(folder, { recursive: true });
  });

  for (const block of allBlocks()) {
    const ready = servesWith(block);
    if (ready !== undefined)
      it(`${block.page}: ${block.code.trim()}`, async () => {
        const data = await mkdtemp(join(folder, 'data-'));
        const port = String(await freePort());
        const script = block.code
          .replace('/var/lib/media-analysis/vault', data)
          .replace('10.0.0.10', '127.0.0.1')
          .replace('8090', port)
          .replace('<a key>', world.adminKey);
        expect(await pastedUntil(ready, script, folder, { PORT: port, DATA_DIR: data })).to.match(ready);
      });
  }

  it('docs/client.md: the first program', async () => {
    await writeFile(
      join(folder, 'client.mjs'),
      codeOf('docs/client.md', 'js')
        .replace('http://127.0.0.1:8080', world.url())
        .replace("'…'", `'${world.adminKey}'`),
    );
    const { code, err } = await pasted('node client.mjs', folder, {});
    expect(code, err).to.equal(0);
    expect((await world.admin.get('/v2/videos?title=interview')).text).to.include('An interview');
  });

  it('docs/protocol-endpoint.md: the subscription', async () => {
    const clip = 'adapters/composition/demo-clip';
    const made = await pasted(
      `media-analysis import ${clip}/faces.csv ${clip}/turns.rttm --video-id film --audio-id film-sound`,
      folder,
      env,
    );
    expect(made.code, made.err).to.equal(0);
    await world.admin.post('/v2/videos/film/speaker-face-match/suggestions');
    const program = codeOf('docs/protocol-endpoint.md', 'js');
    const address = /esdb:[^']*/.exec(program)?.[0] ?? '';
    await writeFile(
      join(folder, 'subscribe.mjs'),
      program.replace(address, `esdb://127.0.0.1:${eventStorePort}?tls=false`),
    );
    const wanted = /MatchRunStarted\S* matchRun-/;
    expect(await pastedUntil(wanted, 'node subscribe.mjs', folder, {})).to.match(wanted);
  });

  it('docs/operations.md: the query that any SQLite tool can ask', async () => {
    const sql = codeOf('docs/operations.md', 'sql');
    await writeFile(join(folder, 'query.sql'), sql);
    const { code, out, err } = await pasted(`sqlite3 '${world.dataDir}/events.db' < query.sql`, folder, {});
    expect(code, err).to.equal(0);
    expect(out).to.include('AccountOpened');
  });

  it('is run, or parsed, or text without commands', () => {
    const unchecked = allBlocks().filter(({ page, language, code }) => {
      if (language === 'sh') return false;
      if (language === 'text') return code.split('\n').some(isCommand);
      const test = elsewhere[`${page} ${language}`];
      return test === undefined
        ? !here.has(`${page} ${language}`)
        : !fileText(test).includes(page.replace('docs/', ''));
    });
    expect(unchecked).to.deep.equal([]);
  });
});
