import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { openKeyVault } from '../../adapters/composition/vault-service.js';
import { sealedLog } from '../../adapters/event-store/sealed/sealed-store.js';
import { defaults } from '../../adapters/config/config.js';
import type { AppendFailure, Appended, EventStore, NewEvent } from '../../application/ports/event-store.js';
import { audioSubject, videoSubject } from '../../domain/kernel/recorded-event.js';
import { newEvent, openInMemory, failed, succeeded, until, temporaryFolder } from '../support/event-store/stores.js';
import { at } from '../support/values.js';

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
