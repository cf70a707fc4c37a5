import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { openKeyVault } from '../../adapters/composition/vault-service.js';
import { openEventLog } from '../../adapters/composition/event-log.js';
import { sealedLog } from '../../adapters/event-store/sealed/sealed-store.js';
import { defaults } from '../../adapters/config/config.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventStore, StoredEvent } from '../../application/ports/event-store.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { audioSubject, videoSubject } from '../../domain/kernel/recorded-event.js';
import { newEvent } from '../support/event-store/events.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { earlierForms, event, key, storedForms } from '../support/stored-sealed.js';

const data = { title: 'of two' };

describe('a sealed log', () => {
  const setUp = async () => {
    const [{ store, close }, { path, remove }] = await Promise.all([openInMemory(), temporaryFolder()]);
    const vault = openKeyVault({ ...defaults, data_dir: path });
    const log = sealedLog(store, vault);
    const subjects = [audioSubject('a'), videoSubject('v')];
    const sealed = newEvent({ type: 'FacesMatched.v1', data, subjects });
    await succeeded(log.store.append('video-v', 'no_stream', [sealed]));
    /** Read again, as for another reader: equal, but not the same object. */
    const again = async (): Promise<StoredEvent> => {
      const [stored] = await succeeded(store.read('video-v', -1, 1));
      if (stored === undefined) throw new Error('nothing was stored');
      return structuredClone(stored);
    };
    const opened = async (stored: StoredEvent): Promise<StoredEvent | undefined> =>
      (await log.openWithRetry([stored], () => false))?.[0];
    const end = async (): Promise<void> => {
      vault.close();
      await close();
      await remove();
    };
    return { log, again, opened, end };
  };

  it('opens an event for each reader, but not one that was moved', async () => {
    const { again, opened, end } = await setUp();
    expect((await again()).data).to.include.keys('sealed');
    for (const reader of [await again(), await again()]) expect((await opened(reader))?.data).to.deep.equal(data);
    for (const moved of [{ stream: 'video-w' }, { type: 'FaceUnmatched.v1' }, { id: crypto.randomUUID() }])
      expect(await opened({ ...(await again()), ...moved })).to.include({ withheld: 'key_missing' });
    await end();
  });

  it('opens nothing about several subjects of which one was erased, and seals nothing about it', async () => {
    const { log, again, opened, end } = await setUp();
    const before = await again();
    expect((await opened(before))?.data).to.deep.equal(data);
    await succeeded(log.keys.erase(audioSubject('a')));
    for (const stored of [before, await again()]) {
      const withheld = await opened(stored);
      expect(withheld?.data).to.deep.equal({});
      expect(withheld?.withheld).not.to.equal(undefined);
    }
    const more = newEvent({ type: 'FacesMatched.v1', data, subjects: [audioSubject('a'), videoSubject('v')] });
    expect((await log.store.append('video-v', 0, [more])())._tag).to.equal('Left');
    await end();
  });

  const stored = { stream: event.stream, type: event.type, id: event.id };
  const fixedKey: KeyVault = {
    make: () => TE.right(key),
    find: () => TE.right(key),
    erase: () => TE.right(undefined),
    check: () => TE.right(undefined),
    close: constVoid,
  };

  it('waits for the log, too, where only that tells why an event cannot be opened', async () => {
    const { store, close } = await openInMemory();
    const at = '2026-01-01T00:00:00.000Z';
    await succeeded(store.append('video-v', 'no_stream', [newEvent({ type: 'MediumErased.v1', data: { at } })]));
    let isAway = true;
    const away: EventStore['readAll'] = () => async () => {
      isAway = false;
      return E.left({ _tag: 'StoreUnavailable', reason: 'the connection is lost' });
    };
    const readAll: EventStore['readAll'] = (...wanted) => (isAway ? away(...wanted) : store.readAll(...wanted));
    const erased: KeyVault = { ...fixedKey, find: () => TE.right('erased') };
    const sealed = {
      position: '2',
      revision: 1,
      ...stored,
      metadata: {},
      data: { sealed: 'AAAA', key: 'video-v:1', v: 3 },
    };
    const opened = await sealedLog({ ...store, readAll }, erased).openWithRetry([sealed], () => false);
    expect(opened?.[0]).to.deep.include({ data: {}, withheld: 'erased', erased_at: at });
    await close();
  });

  it('opens events as they are stored, compressed or not', async () => {
    for (const { sealed, v, data: clear } of storedForms) {
      const { store, close } = await openInMemory();
      const { stream, id, type } = stored;
      await succeeded(
        store.append(stream, 'no_stream', [newEvent({ id, type, data: { sealed, key: 'video-v:1', v } })]),
      );
      const { events } = await succeeded(sealedLog(store, fixedKey).store.readAll(null, {}, 10));
      expect(events.map(({ data: read, withheld }) => [read, withheld])).to.deep.equal([[clear, undefined]]);
      await close();
    }
  });

  it('refuses data of another form in words: at the start, to readers and to subscribers', async () => {
    for (const { sealed, v } of [...earlierForms, { sealed: 'AAAA', v: 4 }]) {
      const { path, remove } = await temporaryFolder();
      const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
      const { stream, id, type } = stored;
      await succeeded(
        store.append(stream, 'no_stream', [newEvent({ id, type, data: { sealed, key: 'video-v:1', v } })]),
      );
      const log = sealedLog(store, fixedKey);
      const words = new RegExp(`position 0*1: its data is encrypted in form ${v}, .* reads form 3 alone.* Use `);
      expect((await failed(log.store.readAll(null, {}, 10))).reason).to.match(words);
      expect((await failed(log.store.read(stream, -1, 10))).reason).to.match(words);
      const failure = await new Promise((onFailure) =>
        log.store.subscribe(null, {}, { onPage: () => Promise.resolve(), onFailure }),
      );
      expect(failure).to.be.instanceOf(Error).with.property('message').that.matches(words);
      await close();
      const start = await openEventLog({ ...defaults, data_dir: path }, silentLog).catch((error: unknown) => error);
      expect(start).to.be.instanceOf(Error).with.property('message').that.matches(words);
      await remove();
    }
  });
});
