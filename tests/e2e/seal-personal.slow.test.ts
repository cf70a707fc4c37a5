import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sealEvents } from '../../adapters/composition/events-command.js';
import { startService } from '../../adapters/composition/service.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { StoredEvent } from '../../application/ports/event-store.js';
import { type TestApi, openTestApi } from '../support/e2e/test-api.js';
import { runCommand } from '../support/e2e/command.js';
import { type Media, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { foundIn } from '../support/erasure/bytes.js';
import { writeUnencryptedLog } from '../support/erasure/unencrypted-log.js';
import { createMediaWithWords, wordsOf } from '../support/erasure/media-with-words.js';
import { succeeded } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';

const named = wordsOf('Reineclaude');
const words = [...Object.values(named), 'Mirabelle Metadata'];

const eventsIn = async (file: string): Promise<ReadonlyArray<StoredEvent>> => {
  const { store, close } = openSqliteEventStore({ file });
  const { events } = await succeeded(store.readAll(null, {}, 100_000));
  await close();
  return events;
};

const keyOf = ({ data }: StoredEvent): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, 'key') : undefined;

describe('a log from before events were sealed', function () {
  this.timeout(120_000);
  let api: TestApi;
  let media: Media;
  const shown = new Map<string, string>();
  const shownPaths = (): ReadonlyArray<string> => [
    media.video,
    `${media.video}?at=3`,
    `${media.video}/history`,
    media.audio,
    `${media.audio}/transcript`,
    `${media.audio}/history`,
    media.runs,
    media.suggestions,
    '/v1/accounts/owner/ledger',
  ];
  const at = (...path: ReadonlyArray<string>): string => join(api.world.dataDir, ...path);
  const keys = () => ({ data_dir: at('unused'), key_vault: api.world.config.key_vault });
  const seal = (...more: ReadonlyArray<string>) =>
    runCommand(['events', 'copy', '--seal-personal', '--from', at('clear', 'events.db'), ...more]);
  /** Runs the service on another folder during the work. */
  const servedFrom = async (folder: string, ask: (api: Pick<TestApi, 'admin'>) => Promise<void>): Promise<void> => {
    const service = await startService({ ...api.world.config, event_store: 'sqlite', data_dir: at(folder) });
    try {
      await ask({ admin: httpClient(service.url, api.world.adminKey) });
    } finally {
      await service.stop();
    }
  };

  before(async () => {
    api = await openTestApi();
    media = await createMediaWithWords(api, named);
    await expectOk(api.admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'test' }));
    await expectOk(api.owner.post('/v2/realtime/session', { metadata: { about: 'Mirabelle Metadata' } }));
    await api.world.restart(async () => {
      mkdirSync(at('clear'));
      await writeUnencryptedLog(api.world.config, at('clear', 'events.db'), { sealedInBetween: true });
    });
  });
  after(() => api.world.end());

  it('is served unchanged, cannot be erased from, and the refusal names the command that seals it', async () => {
    expect((await foundIn(at('clear'), words)).length).to.be.greaterThan(words.length - 1);
    await servedFrom('clear', async ({ admin }) => {
      for (const path of shownPaths()) shown.set(path, (await admin.get(path)).text);
      expect(shown.get(media.video)).to.include(named.videoTitle);
      const refused = await admin.delete(media.video);
      expectCode(refused, 409, 'log_not_sealed');
      expect(refused.text).to.include('media-analysis events copy --seal-personal');
    });
  });

  it('is copied with sealed events, a valid hash chain and valid seals', async () => {
    mkdirSync(at('sealed'));
    const { code, out, err } = await seal('--to', at('sealed', 'events.db'));
    expect(code, err).to.equal(0);
    expect(out)
      .to.include('destroy')
      .and.to.include(`${at('clear', 'events.db')}-wal`);
    expect(await foundIn(at('sealed'), words)).to.deep.equal([]);
    const [clear, sealed] = [await eventsIn(at('clear', 'events.db')), await eventsIn(at('sealed', 'events.db'))];
    expect(sealed.map(({ id, position }) => [id, position])).to.deep.equal(
      clear.map(({ id, position }) => [id, position]),
    );
    const verified = await runCommand(['audit', 'verify', '--json'], { DATA_DIR: at('sealed') });
    expect(verified.code, verified.out).to.equal(0);
    expect(JSON.parse(verified.out)).to.include({ seals: 2, unhashed: 0 });
    if (process.env['TEST_EVENT_STORE'] !== undefined) return;
    const keysBefore = new Map((await eventsIn(at('events.db'))).map((event) => [event.id, keyOf(event)]));
    // Stored answers are not copied.
    const isAnswer = ({ stream }: StoredEvent): boolean => stream.startsWith('idempotencyKey-');
    for (const event of sealed.filter((one) => keysBefore.has(one.id) && !isAnswer(one)))
      expect(keyOf(event), `${event.type} of ${event.stream}`).to.equal(keysBefore.get(event.id));
  });

  it('is not encrypted a second time: nothing is created', async () => {
    const again = at('again', 'events.db');
    mkdirSync(at('again'));
    const args = ['events', 'copy', '--seal-personal', '--from', at('sealed', 'events.db'), '--to', again];
    const err = 'error: this log is already encrypted: use events copy without --seal-personal\n';
    expect(await runCommand(args)).to.deep.equal({ code: 1, out: '', err });
    expect(readdirSync(at('again'))).to.deep.equal([]);
  });

  it('continues an interrupted copy', async () => {
    mkdirSync(at('broken'));
    const [from, to] = [at('clear', 'events.db'), at('broken', 'events.db')];
    for (let [stop, broken] = [7, true]; broken; stop += 23)
      broken = await sealEvents(from, to, keys(), ({ copied }) => {
        if (copied >= stop) throw new Error('broken off');
      }).then(
        () => false,
        () => true,
      );
    const [once, resumed] = [await eventsIn(at('sealed', 'events.db')), await eventsIn(to)];
    expect(resumed.map((event) => [event.id, keyOf(event)])).to.deep.equal(
      once.map((event) => [event.id, keyOf(event)]),
    );
    expect(await foundIn(at('broken'), words)).to.deep.equal([]);
    expect((await runCommand(['audit', 'verify'], { DATA_DIR: at('broken') })).code).to.equal(0);
  });

  it('can be erased from in its copy, which serves everything else as before', async () => {
    await servedFrom('sealed', async ({ admin }) => {
      for (const path of shownPaths()) expect((await admin.get(path)).text, path).to.equal(shown.get(path));
      await expectOk(admin.delete(media.video));
      await expectOk(admin.delete(media.audio));
    });
    expect(await foundIn(at('sealed'), Object.values(named))).to.deep.equal([]);
    expect((await runCommand(['audit', 'verify'], { DATA_DIR: at('sealed') })).code).to.equal(0);
  });
});
