import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { dictionary, openText, sealText } from '../../adapters/event-store/sealed/sealed-data.js';
import { JsonObject, audioSubject, videoSubject } from '../../domain/kernel/recorded-event.js';
import { shortOrLong } from '../support/long-form.js';
import { openKeyVault } from '../../adapters/composition/vault-service.js';
import { openEventLog } from '../../adapters/composition/event-log.js';
import { sealedLog } from '../../adapters/event-store/sealed/sealed-store.js';
import { defaults } from '../../adapters/config/config.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type {
  EventStore,
  StoredEvent,
  AppendFailure,
  Appended,
  NewEvent,
} from '../../application/ports/event-store.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import {
  newEvent,
  openInMemory,
  silentLog,
  failed,
  succeeded,
  temporaryFolder,
  until,
} from '../support/event-store/stores.js';
import { at } from '../support/values.js';

/** The key and the event of all that follows. */
const key = Buffer.alloc(32, 7);
const event = { stream: 'video-v', id: '0190a1c2-7b1e-7000-8000-000000000001', type: 'VideoRegistered.v2' };

const matched = {
  audio_id: 'v7-audio',
  changes: [5, 4].map((face_id) => ({
    face_id,
    before: { name: `Person No ${face_id}`, speaker_id: 3, accuracy: null, personality_traits: null },
    after: { name: `Person No ${face_id}`, speaker_id: 0, accuracy: null, personality_traits: null },
    named_by: null,
  })),
  speakers: [],
  at: '2026-11-22T20:18:12.690Z',
};

/** Data as it is stored: compressed, and as its JSON. */
const storedForms = [
  {
    sealed:
      'dRqYMtHOqP77Gqa9Htk/5pMoY/wBog6Iej35mO9/KlccLID9a5CYji6ZrH2MGXf+ZJGk3T7Vj9MlBQHjvwlbWsKadG+a1aE2QTAnZZRTrzoZ' +
      '9DFdRf8kPRESgu2Ctx9gX5XbtS6vaXiCAHYURXkHR84nheUp',
    v: 3,
    data: matched,
  },
  { sealed: 'G1MzqS7Wgb3J27fTxgNcwJTS53cVOF6LMpV42yGkwUgGGKdRvhx/BOEYHQ==', v: 3, data: { title: 'Ada' } },
];

/** Data as versions of the service stored it that were never released. */
const earlierForms = [
  { sealed: 'FTWz5PPk1e0O/0x4z+hxolCfgTo1tOIaNMvKCpQGznLMhxiAol0IVymNkX8=', v: 1 },
  {
    sealed:
      '4EF/PJtyzD4bX53a1C2TIeR5dL06+qnLQyKBngt6Lr0PeqSJCRdZdkuzoJM5Qhu5DI6D9SythPwPzQMxt2v7U+BXiIlFOWIgi/XCMRyVwzhFY4TECgPw' +
      '9+vU62PuCDqzSByj39CasP4d8kchix2QCl/AIRMfYQ==',
    v: 2,
  },
];

const lengthOf = (data: object): number => JSON.stringify(data).length;

const objects = fc.dictionary(fc.string(), fc.json({ maxDepth: 4 }).map(JSON.parse));

/** Calls `check` with data of any content, short and long. */
const forAnyData = (check: (data: JsonObject) => void): void =>
  fc.assert(
    fc.property(objects, fc.constantFrom(1, 1, 1, 200), (data: unknown, times) => {
      if (!JsonObject.is(data)) throw new Error('no object');
      check(times === 1 ? data : { repeated: Array.from({ length: times }, () => data) });
    }),
    { numRuns: shortOrLong(200, 5_000) },
  );

describe('sealed data', () => {
  it('is compressed with a dictionary that never changes', () => {
    expect(createHash('sha256').update(dictionary).digest('hex')).to.equal(
      '72046c6f89dcb9d8166fa6788b621da0a5bc860d8506517a2989b6d33d68bd5e',
    );
    for (const { sealed, data } of storedForms) expect(openText(sealed, key, event)).to.deep.equal(data);
  });

  it('can be read back unchanged, whatever its content, and by no other key', () => {
    forAnyData((data) => {
      const text = sealText(data, key, event);
      expect(JSON.stringify(openText(text, key, event))).to.equal(JSON.stringify(data));
      expect(openText(text, randomBytes(32), event)).to.equal(null);
    });
  });

  it('expands at most twelvefold', () => {
    for (const length of [100, 4_000, 100_000, 2_000_000]) {
      const data = { text: 'a'.repeat(length) };
      const text = sealText(data, key, event);
      expect(lengthOf(data)).to.be.at.most(12 * text.length);
      expect(openText(text, key, event)).to.deep.equal(data);
    }
  });

  it('can be opened only for its own event, and completely: every changed byte is noticed', () => {
    for (const { sealed } of storedForms) {
      const bytes = Buffer.from(sealed, 'base64');
      expect(openText('', key, event)).to.equal(null);
      for (const other of [{ stream: 'video-w' }, { type: 'VideoRegistered.v1' }, { id: 'another' }])
        expect(openText(sealed, key, { ...event, ...other })).to.equal(null);
      for (let length = 0; length < bytes.length; length += 1)
        expect(openText(bytes.subarray(0, length).toString('base64'), key, event)).to.equal(null);
      for (let place = 0; place < bytes.length; place += 1) {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ 1;
        expect(openText(changed.toString('base64'), key, event)).to.equal(null);
      }
    }
  });
});

describe('a sealed log', () => {
  const data = { title: 'of two' };
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
    expect(await opened({ ...(await again()), stream: 'video-w' })).to.include({ withheld: 'key_missing' });
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

const [v, a] = [videoSubject('v'), audioSubject('a')];
const lost: E.Either<AppendFailure, Appended> = E.left({ _tag: 'StoreUnavailable', reason: 'lost' });

const write = (): NewEvent => newEvent({ type: 'FaceTracksRecorded.v1', data: { part: 0 }, subjects: [v] });
const erasure = (): NewEvent => newEvent({ type: 'MediumErased.v1', data: { at: at(1) } });

/** A store that begins each append when told to, or fails instead. */
const startedLater = (store: EventStore) => {
  const sent = new Map<string, (instead: typeof lost | null) => void>();
  const append: EventStore['append'] = (stream, expected, events) => async () => {
    const instead = await new Promise<typeof lost | null>((resolve) => sent.set(events[0]?.id ?? '', resolve));
    return instead ?? store.append(stream, expected, events)();
  };
  const start = async ({ id }: NewEvent, instead: typeof lost | null = null): Promise<void> => {
    await until(`${id} was sent`, () => sent.has(id));
    sent.get(id)?.(instead);
  };
  return { store: { ...store, append }, start, isSent: ({ id }: NewEvent): boolean => sent.has(id) };
};

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the erasure of a medium', () => {
  const setUp = async () => {
    const [opened, { path, remove }] = await Promise.all([openInMemory(), temporaryFolder()]);
    const vault = openKeyVault({ ...defaults, data_dir: path });
    // Keys that exist already.
    const first = sealedLog(opened.store, vault).store;
    await succeeded(first.append('video-v', 'no_stream', [newEvent({ type: 'FaceUnmatched.v1', subjects: [v, a] })]));
    const { store, start, isSent } = startedLater(opened.store);
    const log = sealedLog(store, vault);
    const end = async (): Promise<void> => {
      vault.close();
      await opened.close();
      await remove();
    };
    return { log, start, isSent, end };
  };

  it('waits for pending writes about the medium; later ones are refused and not stored', async () => {
    const { log, start, isSent, end } = await setUp();
    const [before, erase, after] = [write(), erasure(), write()];
    const written = log.store.append('faceTracks-v', 'no_stream', [before])();
    await until('the write was sent', () => isSent(before));
    const erased = log.store.append('video-v', 0, [erase])();
    const late = log.store.append('faceTracks-v', 0, [after])();
    await turns();
    expect([isSent(erase), isSent(after)]).to.deep.equal([false, false]);
    await start(before);
    expect(E.isRight(await written)).to.equal(true);
    await start(erase);
    expect(E.isRight(await erased)).to.equal(true);
    expect(await late).to.deep.equal(E.left({ _tag: 'MediumErased', erased_at: at(1) }));
    expect(isSent(after)).to.equal(false);
    await end();
  });

  it('that fails lets the writes pass that waited for it', async () => {
    const { log, start, isSent, end } = await setUp();
    const [erase, after] = [erasure(), write()];
    const erased = log.store.append('video-v', 0, [erase])();
    const waiting = log.store.append('faceTracks-v', 'no_stream', [after])();
    await until('the erasure was sent', () => isSent(erase));
    await turns();
    expect(isSent(after)).to.equal(false);
    await start(erase, lost);
    expect(await erased).to.deep.equal(lost);
    await start(after);
    expect(E.isRight(await waiting)).to.equal(true);
    await end();
  });

  it('destroys the key after everything that is sealed with it was written, also to streams of others', async () => {
    const { log, start, isSent, end } = await setUp();
    const matched = (): NewEvent => newEvent({ type: 'MatchRunCommitted.v1', subjects: [v, a] });
    const [before, after] = [matched(), matched()];
    const written = log.store.append('matchRun-r', 'no_stream', [before])();
    await until('the write was sent', () => isSent(before));
    const destroyed = log.keys.erase(a)();
    const late = failed(log.store.append('matchRun-r', 0, [after]));
    await turns();
    expect(await succeeded(log.keys.isThere(a))).to.equal(true);
    await start(before);
    expect(E.isRight(await written)).to.equal(true);
    expect(E.isRight(await destroyed)).to.equal(true);
    expect(await succeeded(log.keys.isThere(a))).to.equal(false);
    expect(await late).to.include({ _tag: 'StoreUnavailable', because: 'key_missing' });
    expect(isSent(after)).to.equal(false);
    await end();
  });
});
