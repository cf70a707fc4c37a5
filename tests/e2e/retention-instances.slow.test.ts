import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { systemClock } from '../../adapters/runtime/clock.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { openTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { removeData } from '../support/engine.js';
import { addressOf } from '../support/event-store/address-of.js';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { bodyOf } from '../support/http-client.js';
import { startVaultServer } from '../support/vault/vault-server.js';

const Events = t.type({ events: t.array(t.type({ stream: t.string, type: t.string })) });
const days = 86_400;

describe('retention on two instances with one EventStoreDB and one vault', function () {
  this.timeout(120_000);

  it('erases each medium once, with one receipt, also if both check at the same moment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-retention-'));
    const server = await startServerProcess({ file: join(folder, 'events.db') });
    const vault = await startVaultServer();
    let passed = 0;
    const clock = { now: () => secondsAfter(systemClock.now(), passed) };
    const config = { event_store: addressOf(server.url), key_vault: { url: vault.url, token: null, secret: null } };
    const casts = [await openTestApi(config, clock), await openTestApi(config, clock)] as const;
    const [{ admin, owner }] = casts;
    const media = [];
    for (let made = 0; made < 6; made += 1) media.push(await createMedia(casts[0]));
    await expectOk(admin.put('/v1/accounts/owner/retention', { days: 7 }));
    passed = 8 * days;
    await Promise.all(casts.map(({ world }) => world.restart()));
    const paths = media.flatMap(({ video, audio }) => [video, audio]);
    for (const { world } of casts) {
      const client = await world.client('looker', { admin: true });
      for (const path of paths)
        while ((await client.get(path)).status !== 410) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { events } = bodyOf(Events, await admin.get('/v1/audit/events?type=MediumErased&limit=1000'));
    expect(events.map(({ stream }) => stream).sort()).to.deep.equal(
      media.flatMap(({ videoId, audioId }) => [`video-${videoId}`, `audio-${audioId}`]).sort(),
    );
    for (const { video, audio } of media)
      for (const path of [video, audio]) {
        const history = bodyOf(
          t.type({ events: t.array(t.type({ type: t.string })) }),
          await owner.get(`${path}/history?limit=1000`),
        );
        expect(history.events.filter(({ type }) => type === 'MediumErased')).to.have.length(1);
        expect(history.events.at(-1)?.type).to.equal('MediumErased');
      }
    expect([...vault.keys].filter(([, key]) => key === 'erased')).to.have.length(paths.length);
    for (const { world } of casts) await world.end();
    await vault.close();
    await server.kill();
    await removeData(folder);
  });
});
