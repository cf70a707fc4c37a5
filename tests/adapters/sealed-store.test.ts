import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { openKeyVault } from '../../adapters/composition/key-vault.js';
import { sealedLog } from '../../adapters/composition/sealed-log.js';
import { defaults } from '../../adapters/config/config.js';
import type { StoredEvent } from '../../application/ports/event-store.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { audioSubject, videoSubject } from '../../domain/kernel/stream-name.js';
import { newEvent } from '../support/event-store/events.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { openTemporarySqlite, temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { event, key, storedForms } from '../support/stored-sealed.js';

const data = { title: 'of two' };

describe('a sealed log and its cache', () => {
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

  it('opens events in every form in which they were ever stored', async () => {
    const vault: KeyVault = {
      make: () => TE.right(key),
      find: () => TE.right(key),
      erase: () => TE.right(undefined),
      check: () => TE.right(undefined),
      close: constVoid,
    };
    for (const { sealed, v, data: clear } of storedForms) {
      const opened = await openTemporarySqlite();
      const { stream, id, type } = event;
      const stored = newEvent({ id, type, data: { sealed, key: 'video-v:1', v } });
      await succeeded(opened.store.append(stream, 'no_stream', [stored]));
      const log = sealedLog(opened.store, vault);
      const { events } = await succeeded(log.store.readAll(null, {}, 10));
      expect(events.map(({ data: read, withheld }) => [read, withheld])).to.deep.equal([[clear, undefined]]);
      await opened.close();
    }
  });
});
