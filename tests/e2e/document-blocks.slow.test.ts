import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { type World, startWorld } from '../support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The `sh` blocks of a page, as they stand. */
const blocksOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);

interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** Prepares what the blocks of a page need, and puts this machine's paths into them. */
type Prepared = () => Promise<(script: string) => string>;
const asItStands: Prepared = async () => (script) => script;

/** Runs commands as if they were pasted into a shell. */
const pasted = (script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: 90_000 };
    execFile('bash', ['-O', 'expand_aliases', '-c', script], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
  });

const isCurlThere = async (): Promise<boolean> =>
  (await pasted('curl --fail-with-body --version', tmpdir(), {})).code === 0;

const answersIn = (out: string): ReadonlyArray<string> =>
  out.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
const refusedIn = (out: string): ReadonlyArray<string> =>
  answersIn(out).filter((answer) => answer.includes('"detail"'));

/**
 * Pages whose blocks are not run here, with the reason. Commands and options in them are checked all the same
 * (tests/house/documents.test.ts).
 */
const notRun: Readonly<Record<string, string>> = {
  'docs/contributing.md': 'there are two: one runs all tests, the other records files of the project',
  'docs/several-machines.md': 'they need several machines, systemd and an EventStoreDB',
  'docs/erasure.md':
    'they move files between services of systemd; the commands in them are run by tests/adapters/key-vault-served.test.ts ' +
    'and seal-personal.slow.test.ts',
  'docs/audit-marts.md': 'its queries are run with a log of their own, in tests/e2e/audit-command.slow.test.ts',
  'docs/client.md': 'its examples are run by tests/e2e/client.test.ts',
  'docs/realtime.md': 'run in a browser by tests/e2e/realtime-browser.slow.test.ts',
};

describe('the commands in the documents', function () {
  this.timeout(120_000);
  let world: World;
  /** A service without the embedded match worker: the page on workers plays it. */
  let withoutMatcher: World;
  let folder: string;
  before(async function () {
    if (!(await isCurlThere())) return this.skip();
    world = await startWorld({ match_worker: 'embedded' });
    withoutMatcher = await startWorld();
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-documents-'));
    for (const part of ['dist', 'adapters', 'docs', 'node_modules', 'package.json'])
      await symlink(join(root, part), join(folder, part));
  });
  after(async () => {
    await world?.end();
    await withoutMatcher?.end();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  /** Runs all `sh` blocks of a page one after the other, with the key and the address of the service put in. */
  const run = async (name: string, prepared: Prepared, service: World): Promise<Ran> => {
    const script = blocksOf(page(name))
      .filter((block) => !block.startsWith('npm '))
      .join('\n');
    expect(script).to.not.equal('');
    return pasted(
      `set -e\n${(await prepared())(script).replaceAll('<the admin key>', service.adminKey).replaceAll('localhost:8080', service.url())}`,
      folder,
      { MEDIA_ANALYSIS_URL: service.url(), MEDIA_ANALYSIS_API_KEY: service.adminKey, DATA_DIR: service.dataDir },
    );
  };
  const runPages = new Set<string>();
  const runs = (
    name: string,
    title: string,
    check: (ran: Ran) => void,
    prepared: Prepared = asItStands,
    service = () => world,
  ) => {
    runPages.add(name);
    it(`${name}: ${title}`, async () => {
      const ran = await run(name, prepared, service());
      expect(ran.code, ran.err).to.equal(0);
      check(ran);
    });
  };

  runs('README.md', 'imports the demo clip and asks for suggestions', ({ out }) => {
    expect(out).to.include('analysis of audio film-sound completed').and.to.include('"status":"processing"');
    expect(refusedIn(out)).to.deep.equal([]);
  });

  it('npm run demo runs from beginning to end', async () => {
    const demo = /"demo": "([^"]*)"/.exec(page('package.json'))?.[1] ?? '';
    // The set-up before it would compile under the running tests.
    const script = demo.replace('adapters/cli/set-up.mjs', join(root, 'dist/adapters/bin.js'));
    expect(script).to.not.equal(demo);
    await mkdir(join(folder, 'demo'));
    await writeFile(join(folder, 'demo/package.json'), JSON.stringify({ name: 'demo', scripts: { demo: script } }));
    const { code, out, err } = await pasted('npm run demo', join(folder, 'demo'), {});
    expect(code, err).to.equal(0);
    expect(out).to.include('Done: the service stops');
  });

  runs('docs/tutorial.md', 'matches, names and undoes', ({ out }) => {
    const answers = answersIn(out);
    expect(refusedIn(out)).to.deep.equal([]);
    const videos = answers.filter((answer) => answer.startsWith('{"video_id":"tutorial","owner_id"'));
    const speakersIn = (video: string): boolean => /"speaker_id":\d/.test(video.split('"speaker_face_match"')[0] ?? '');
    expect(videos.map(speakersIn)).to.deep.equal([false, true, true, false]);
    expect(videos[2]).to.include('"name":"Ada Lovelace"');
    expect(out)
      .to.include('FacesMatched')
      .and.to.match(/\nput back\tface \d+/);
  });

  runs('docs/http-example.md', 'goes from registration to erasure', ({ out }) => {
    const refused = refusedIn(out);
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include('"code":"erased"');
    expect(out)
      .to.match(/"state":"completed"/)
      .and.to.include('"category":"name_inference","charges":1')
      .and.to.include('"status":"ended","duration_seconds":0');
  });

  runs(
    'docs/write-a-worker.md',
    'finds work, writes analyses and matches back',
    ({ out }) => {
      expect(refusedIn(out)).to.deep.equal([]);
      expect(out)
        .to.match(/"videos":\[\{"video_id":"panel"/)
        .and.to.match(/"audios":\[\{"audio_id":"panel-sound"/)
        .and.to.match(/"match_runs":\[.*"video_id":"panel".*"state":"in_flight"/)
        .and.to.include('"status":"stored"')
        .and.to.match(/"mappings":\[\{"face_id":0,"speaker_id":0/);
    },
    asItStands,
    () => withoutMatcher,
  );

  runs('docs/onboard-a-customer.md', 'opens an account, and reports what it spent', ({ out }) => {
    expect(refusedIn(out)).to.deep.equal([]);
    expect(out)
      .to.include('acme')
      .and.to.match(/Closing balance 100/);
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
    async () => {
      for (const [name, sample] of Object.entries(samples)) await cp(join(root, sample), join(folder, name));
      return (script) => `alias media-analysis="node dist/adapters/bin.js"\n${script}`;
    },
  );

  runs(
    'docs/operations.md',
    'copies the data, books credits and shows the read models',
    ({ out }) => expect(out).to.include('top-up').and.to.include('booked twice'),
    async () => {
      for (const part of ['log', 'keys', 'secret']) await mkdir(join(folder, 'backups', part), { recursive: true });
      await world.client('customer');
      return (script) =>
        `alias media-analysis="node dist/adapters/bin.js"\n${script}`
          .replaceAll('/var/lib/media-analysis', world.dataDir)
          .replace(`cd ${world.dataDir}\n`, `pushd ${world.dataDir} > /dev/null\n`)
          .replace('/backups/secret/\n', '/backups/secret/\npopd > /dev/null\n')
          .replaceAll('/backups/', `${join(folder, 'backups')}/`)
          .replaceAll('<account>', 'customer');
    },
  );

  runs(
    'docs/machine-readable.md',
    'generates clients',
    () => {
      expect(readFileSync(join(folder, 'clients/python/client.py'), 'utf8')).to.include('def credits_grant(');
      expect(readFileSync(join(folder, 'clients/go/client.go'), 'utf8')).to.include('MeGet(');
    },
    async () => (script) => script.replaceAll('http://127.0.0.1:8080', world.url()),
  );

  it('docs/eventstoredb.md: copies a log there and back', async () => {
    const server = await startServerProcess({ file: join(folder, 'served.db') });
    try {
      const copies = await run(
        'docs/eventstoredb.md',
        async () => {
          await mkdir(join(folder, 'data'));
          await world.restart(() => cp(world.dataDir, join(folder, 'data'), { recursive: true }));
          return (script) =>
            `alias media-analysis="node dist/adapters/bin.js"\n${script}`
              .replaceAll('esdb://user:password@host:2113', server.url)
              // The other block wants the program of an EventStoreDB.
              .replace(/^EVENT_STORE_SERVER_CMD=.*$/m, '');
        },
        world,
      );
      expect(copies.code, copies.err).to.equal(0);
      expect(copies.out.match(/\b[1-9]\d* events\b/g)).to.have.length.above(1);
    } finally {
      await server.kill();
    }
  });
  runPages.add('docs/eventstoredb.md');

  for (const name of ['docs/command-line.md', 'docs/http-accounts.md'])
    runs(
      name,
      'issues keys',
      ({ out }) => expect(out).to.match(/"key":\s*"/),
      async () => {
        await Promise.all(['my-customer', 'my-staff'].map((account) => world.client(account)));
        return (script) => `alias media-analysis="node dist/adapters/bin.js"\n${script}`;
      },
    );

  it('are run, or it is said why not', () => {
    const pages = [
      'README.md',
      ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    const withBlocks = pages.filter((name) => blocksOf(page(name)).length > 0);
    expect(withBlocks).to.have.length.above(5);
    expect(withBlocks.filter((name) => !runPages.has(name) && notRun[name] === undefined)).to.deep.equal([]);
  });
});
