import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { copyEvents } from '../../adapters/composition/copy-events.js';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { world } from '../support/application/world.js';
import { runCommand } from '../support/e2e/command.js';
import { addressOf } from '../support/event-store/address-of.js';
import { type ServerProcess, startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { recordUnsealed } from '../support/recorded-scenario.js';

const Line = t.UnknownRecord;

describe('media-analysis audit of an EventStoreDB', function () {
  this.timeout(120_000);
  let folder: string;
  let server: ServerProcess;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'media-analysis-'));
    server = await startServerProcess({ file: join(folder, 'events.db') });
    const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);
    await recordUnsealed(world(store));
    await close();
    await copyEvents(server.url, join(folder, 'copy.db'), () => undefined);
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: ReadonlyArray<string>) => runCommand(['audit', ...args], { DATA_DIR: join(folder, 'unused') });
  const audit = (...args: ReadonlyArray<string>) => run(...args, '--event-store', server.url);
  const succeeded = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, out, err } = await audit(...args);
    expect([code, err], args.join(' ')).to.deep.equal([0, '']);
    return out;
  };
  const parsed = (out: string): ReadonlyArray<typeof Line._A> =>
    out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
      .filter(Line.is);
  /** Positions differ between engines. */
  const withoutPositions = (out: string) =>
    parsed(out).map((line): unknown =>
      JSON.parse(JSON.stringify(line), (key, value: unknown) => (key === 'position' ? undefined : value)),
    );

  for (const args of [
    ['log'],
    ['log', '--category', 'video', '--type', 'FacesMatched'],
    ['show', 'video-v'],
    ['explain', 'face', 'v', '1'],
    ['explain', 'speaker', 'a', '1'],
    ['late-writes'],
    ['statement', 'owner', '--month', '2026-01'],
    ['replay', '--table', 'videos'],
  ])
    it(`prints with ${args.join(' ')} the same as for this log in a file`, async () => {
      const fromServer = withoutPositions(await succeeded(...args, '--json'));
      const { out } = await run(...args, '--json', '--file', join(folder, 'copy.db'));
      expect(fromServer).not.to.have.length(0);
      expect(fromServer).to.deep.equal(withoutPositions(out));
    });

  it('replays up to a position of the server', async () => {
    const [first] = parsed(await succeeded('log', '--category', 'video', '--json'));
    const until = await succeeded('replay', '--to', String(first?.['position']), '--table', 'videos', '--json');
    expect(parsed(until)[0]?.['videos']).to.have.length(1);
  });

  it('reports a server that cannot be reached, once', async () => {
    const nowhere = 'esdb://127.0.0.1:1?tls=false&defaultDeadline=500';
    for (const command of ['verify', 'log', 'seal']) {
      const { code, out, err } = await run(command, '--event-store', nowhere);
      expect([code, out]).to.deep.equal([1, '']);
      expect(err).to.match(/^error: the event store cannot be reached at 127\.0\.0\.1:1: .*\n$/);
    }
  });

  it('exports every event', async () => {
    const file = join(folder, 'log.ndjson');
    await succeeded('export', '--format', 'ndjson', '--out', file);
    const listed = withoutPositions(await succeeded('log', '--json'));
    expect(withoutPositions(readFileSync(file, 'utf8'))).to.deep.equal(listed);
  });

  it('verifies, seals, verifies against the seal, and reports a seal that it does not contain', async () => {
    expect(await succeeded('verify')).to.match(/Nothing is sealed\.\nNothing is wrong/);
    const seal = String(parsed(await succeeded('seal', '--json'))[0]?.['seal']);
    expect(seal).to.match(/^seal-0-[0-9a-f]{64}$/);
    expect(await succeeded('verify', '--seal', seal)).to.match(
      /1 seal\nSealed up to position #\d+\.\nNothing is wrong/,
    );
    const other = await audit('verify', '--seal', `${seal.slice(0, -1)}${seal.endsWith('0') ? '1' : '0'}`);
    expect(other.code).to.equal(1);
    expect(other.out).to.match(/seal_missing/);
  });
});
