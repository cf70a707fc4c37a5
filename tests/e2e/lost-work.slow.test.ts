import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { storedType } from '../../domain/event-catalogue.js';
import { openTestApi } from '../support/e2e/test-api.js';
import { createMedia } from '../support/e2e/media.js';
import { getRuns, triggerSuggest } from '../support/e2e/runs.js';
import { addressOf } from '../support/event-store/address-of.js';
import { startTestServer } from '../support/event-store/eventstoredb-server.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { until } from '../support/event-store/outcomes.js';

describe('a match run whose event no instance receives', function () {
  this.timeout(60_000);

  it('is answered by the sweep, once', async () => {
    const server = await startTestServer();
    const thief = openEventStoreDb(addressOf(server.url), silentLog);
    const stolen: string[] = [];
    const filter = { categories: ['matchRun'], types: [storedType('MatchRunStarted')] };
    const theft = thief.work.takePart('match-worker', filter, 10, {
      onEvent: async ({ id }) => void stolen.push(id),
      onFailure: () => undefined,
    });
    const api = await openTestApi({ event_store: addressOf(server.url), match_worker: 'embedded', sweep_seconds: 1 });
    const media = await Promise.all(Array.from({ length: 6 }, () => createMedia(api)));
    for (const one of media) await triggerSuggest(api, one);
    await until('some events are lost', () => stolen.length > 0);
    const states = async () => {
      const runs = await Promise.all(media.map((one) => getRuns(api, one)));
      return runs.flat().map(({ state }) => state);
    };
    while ((await states()).includes('in_flight')) await setTimeout(100);
    expect(await states()).to.have.length(media.length);
    const { store } = server.events;
    const page = await store.readAll(null, { categories: ['video'], types: [storedType('SuggestionsStored')] }, 100)();
    expect(page).to.have.nested.property('right.events.length', media.length);
    await theft.close();
    await thief.close();
    await api.world.end();
    await server.stop();
  });
});
