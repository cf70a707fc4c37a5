import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Block,
  type Ran,
  allBlocks,
  fileText,
  pasted,
  pastedUntil,
  root,
  servesWith,
} from '../support/e2e/document-blocks.js';
import { writeUnencryptedLog } from '../support/erasure/unencrypted-log.js';
import { type ServerProcess, startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { freePort } from '../support/processes.js';
import { type World, startWorld } from '../support/world.js';

/** Puts the paths and addresses of the test into the commands of a page. */
type Prepared = (folder: string) => Promise<(script: string) => string>;
const asItStands: Prepared = async () => (script) => script;

const isCurlThere = async (): Promise<boolean> =>
  (await pasted('curl --fail-with-body --version', tmpdir(), {})).code === 0;

const refusedIn = (out: string): ReadonlyArray<string> =>
  out.split('\n').filter((line) => line.startsWith('{') && line.includes('"detail"'));

const commands = allBlocks().filter((block) => block.language === 'sh' && servesWith(block) === undefined);

describe('the commands in the documents', function () {
  this.timeout(120_000);
  let world: World;
  /** A service without the embedded match worker: the page on workers plays it. */
  let withoutMatcher: World;
  /** An EventStoreDB, for the pages on it. */
  let server: ServerProcess;
  let parent: string;
  before(async function () {
    if (!(await isCurlThere())) return this.skip();
    world = await startWorld({ match_worker: 'embedded' });
    withoutMatcher = await startWorld();
    parent = await mkdtemp(join(tmpdir(), 'media-analysis-documents-'));
    server = await startServerProcess({ file: join(parent, 'served.db') });
  });
  after(async () => {
    await world?.end();
    await withoutMatcher?.end();
    await server?.kill();
    if (parent !== undefined) await rm(parent, { recursive: true });
  });

  /** A folder that looks like the project's, for what the commands of a page write. */
  const folderFor = async (name: string): Promise<string> => {
    const folder = join(parent, name.replaceAll('/', '-'));
    await mkdir(folder);
    for (const part of ['dist', 'adapters', 'docs', 'tests', 'domain', 'application', 'projections', 'node_modules'])
      await symlink(join(root, part), join(folder, part));
    for (const file of ['package.json', 'tsconfig.json']) await symlink(join(root, file), join(folder, file));
    return folder;
  };

  const runPages = new Set<string>();
  /** Runs all commands of a page one after the other. */
  const runs = (
    name: string,
    title: string,
    check: (ran: Ran, folder: string) => void,
    prepared: Prepared = asItStands,
    service = () => world,
  ) => {
    runPages.add(name);
    it(`${name}: ${title}`, async () => {
      const folder = await folderFor(name);
      const script = (await prepared(folder))(
        commands
          .filter(({ page }) => page === name)
          .map(({ code }) => code)
          .join('\n'),
      );
      expect(script).to.not.equal('');
      const { url, adminKey, dataDir } = service();
      const ran = await pasted(
        script.replaceAll(/<the admin key>|<a key>/g, adminKey).replaceAll('localhost:8080', url()),
        folder,
        { MEDIA_ANALYSIS_URL: url(), MEDIA_ANALYSIS_API_KEY: adminKey, DATA_DIR: dataDir },
      );
      expect(ran.code, ran.err).to.equal(0);
      check(ran, folder);
    });
  };

  runs(
    'README.md',
    'runs the demo, imports its clip and asks for suggestions',
    ({ out }) => {
      expect(out).to.include('Done: the service stops');
      expect(out).to.include('analysis of audio film-sound completed').and.to.include('"status":"processing"');
    },
    async (folder) => {
      await rm(join(folder, 'package.json'));
      const demo = /"demo": "([^"]*)"/.exec(fileText('package.json'))?.[1] ?? '';
      // The set-up before it would compile under the running tests.
      const script = demo.replace('adapters/cli/set-up.mjs', join(root, 'dist/adapters/bin.js'));
      expect(script).to.not.equal(demo);
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { demo: script } }));
      return (commandsOfPage) => commandsOfPage;
    },
  );

  runs('docs/tutorial.md', 'matches, names and undoes', ({ out }) => {
    expect(refusedIn(out)).to.deep.equal([]);
    expect(out)
      .to.include('"name":"Ada Lovelace"')
      .and.include('FacesMatched')
      .and.to.match(/\nrestored\tface \d+/);
  });

  runs('docs/http-example.md', 'goes from registration to erasure', ({ out }) => {
    const refused = refusedIn(out);
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include('"code":"erased"');
    expect(out).to.include('"category":"name_inference","charges":1').and.include('"status":"ended"');
  });

  runs(
    'docs/write-a-worker.md',
    'finds work, writes analyses and matches back',
    ({ out }) => {
      expect(refusedIn(out)).to.deep.equal([]);
      expect(out)
        .to.match(/"match_runs":\[.*"video_id":"panel".*"state":"in_flight"/)
        .and.to.match(/"mappings":\[\{"face_id":0,"speaker_id":0/);
    },
    asItStands,
    () => withoutMatcher,
  );

  runs('docs/onboard-a-customer.md', 'opens an account, and reports what it spent', ({ out }) => {
    expect(refusedIn(out)).to.deep.equal([]);
    expect(out).to.include('Closing balance 100');
  });

  const samples: Readonly<Record<string, string>> = {
    'film.csv': 'adapters/composition/demo-clip/faces.csv',
    'film.rttm': 'adapters/composition/demo-clip/turns.rttm',
    'faces.csv': 'adapters/composition/demo-clip/faces.csv',
    'turns.rttm': 'adapters/composition/demo-clip/turns.rttm',
    'whisperx.json': 'tests/fixtures/providers/whisperx.json',
    'call.json': 'tests/fixtures/providers/amazon-call-analytics.json',
  };
  runs(
    'docs/imports.md',
    'imports files that belong together',
    ({ out }) => expect(out).to.match(/analysis of video \S+ completed/),
    async (folder) => {
      for (const [name, sample] of Object.entries(samples)) await cp(join(root, sample), join(folder, name));
      return (script) => script;
    },
  );

  runs(
    'docs/operations.md',
    'copies the data, books credits and shows the read models',
    ({ out }) => expect(out).to.include('top-up').and.to.include('booked twice'),
    async (folder) => {
      for (const part of ['log', 'keys', 'secret']) await mkdir(join(folder, 'backups', part), { recursive: true });
      await world.client('customer');
      return (script) =>
        script
          .replaceAll('/var/lib/media-analysis', world.dataDir)
          .replace(`cd ${world.dataDir}\n`, `pushd ${world.dataDir} > /dev/null\n`)
          .replace('/backups/secret/\n', '/backups/secret/\npopd > /dev/null\n')
          .replaceAll('/backups/', `${join(folder, 'backups')}/`)
          .replaceAll('<account>', 'customer');
    },
  );

  runs(
    'docs/machine-readable.md',
    'generates clients, which have what the examples use',
    (_, folder) => {
      for (const [language, file] of [
        ['python', 'clients/python/client.py'],
        ['go', 'clients/go/client.go'],
      ] as const) {
        const code = allBlocks().find((block) => block.language === language)?.code ?? '';
        const used = [...code.matchAll(/(?:service|me|client)\.(\w+)/g)].map(([, name]) => name);
        expect(used, language).to.have.length.above(1);
        expect(readFileSync(join(folder, file), 'utf8').match(/\w+/g), language).to.include.members(used);
      }
    },
    async () => (script) => script.replaceAll('http://127.0.0.1:8080', world.url()),
  );

  runs(
    'docs/eventstoredb.md',
    'copies a log there and back',
    ({ out }) => expect(out.match(/\b[1-9]\d* events\b/g)).to.have.length.above(1),
    async (folder) => {
      await world.restart(() => cp(world.dataDir, join(folder, 'data'), { recursive: true }));
      const other = await startServerProcess({ file: join(folder, 'served.db') });
      after(() => other.kill());
      return (script) => script.replaceAll('esdb://user:password@host:2113', other.url);
    },
  );

  runs(
    'docs/several-machines.md',
    'moves a log to a server, verifies it by a seal, and moves it back',
    ({ out }) => expect(out.match(/Nothing is wrong/g)).to.have.length(2),
    async (folder) => {
      const data = join(folder, 'instance');
      await world.restart(() => cp(world.dataDir, data, { recursive: true }));
      return (script) =>
        script
          .replaceAll('/var/lib/media-analysis/1', data)
          .replaceAll(/esdb:\/\/user:password@10\.0\.0\.10:2113\?tlsCAFile=[\w./-]+/g, server.url)
          .replaceAll('http://127.0.0.1:8081', world.url());
    },
  );

  runs(
    'docs/erasure.md',
    'rotates the secret and encrypts a log in clear',
    ({ out }) => expect(out).to.match(/\b[1-9]\d* events\b/),
    async (folder) => {
      // Nothing was erased in the log of this service.
      await withoutMatcher.restart(async () => {
        await cp(withoutMatcher.dataDir, join(folder, 'data'), { recursive: true });
        await mkdir(join(folder, 'clear'));
        await writeUnencryptedLog(withoutMatcher.config, join(folder, 'clear/events.db'), { sealedInBetween: false });
      });
      return (script) => `export DATA_DIR=data\n${script.replace('data/events.db', 'clear/events.db')}`;
    },
  );

  runs('docs/audit-marts.md', 'writes the marts', ({ err }, folder) =>
    expect(readFileSync(join(folder, 'marts/matches.parquet')).subarray(0, 4).toString(), err).to.equal('PAR1'),
  );

  runs('docs/client.md', 'starts the review tool, which ends when nothing is typed', ({ err }) =>
    expect(err).to.equal(''),
  );

  runs(
    'docs/contributing.md',
    'compiles and runs a test file',
    ({ out }) => expect(out).to.match(/[1-9]\d* passing/),
    // Compiling with type checks and into `dist` would disturb the running tests.
    async () => (script) => script.replace('npx tsc\n', 'npx tsc --noCheck --noEmit\n'),
  );

  for (const name of ['docs/command-line.md', 'docs/http-accounts.md'])
    runs(
      name,
      'issues keys',
      ({ out }) => expect(out).to.match(/"key":\s*"/),
      async () => {
        await Promise.all(['my-customer', 'my-staff'].map((account) => world.client(account)));
        return (script) => script;
      },
    );

  it('are all run', () => expect(commands.filter(({ page }: Block) => !runPages.has(page))).to.deep.equal([]));
});

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
