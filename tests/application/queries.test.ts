import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { readRun, staleInMs } from '../../application/queries/match-runs.js';
import { changedRecord, readHistory, recordAt, videoSource } from '../../application/queries/records.js';
import { openWorld } from '../projections/read-models-world.js';
import { requestsTo } from '../support/application/requests.js';
import { completedMedia, world } from '../support/application/world.js';
import { failed, succeeded } from '../support/event-store/stores.js';
import { at, videoId } from '../support/values.js';

describe('queries', () => {
  it('read a record as it was, its history in pages, and a run, which becomes stale', async () => {
    const data = await openWorld();
    const readModels = data.open();
    const place = world(data.store);
    const service = { app: place.app, log: place.app.store, queries: readModels.queries };
    const source = videoSource(service, videoId('v'));
    const behind = () => TE.left({ _tag: 'ReadModelBehind' as const, wanted: at(0), reached: null });
    const ask = () => requestsTo(place, place.request(), 'v');
    const next = (after: number) => succeeded(readHistory(place.app.store, 'video-v', after, 2));
    const seen: Array<{ readonly seconds: number; readonly revision: number; readonly record: unknown }> = [];
    await completedMedia(place, 'v');
    for (const step of [() => ask().nameFace(1, 'Ann'), () => ask().decide('rejected', 1, 2)]) {
      place.pass(10);
      await succeeded(step());
      const changed = await succeeded(changedRecord(source, behind));
      await data.caughtUp(readModels);
      expect(await succeeded(recordAt(source, null))).to.deep.include(changed);
      seen.push({ ...changed, seconds: place.now() });
    }
    for (const { seconds, revision, record } of seen)
      for (const until of [{ kind: 'revision', revision } as const, { kind: 'time', time: at(seconds) } as const])
        expect(await succeeded(recordAt(source, until))).to.deep.include({ revision, record });
    const beyond = await failed(recordAt(source, { kind: 'revision', revision: 99 }));
    expect(beyond).to.deep.equal({ _tag: 'NoSuchRevision' });
    const last = seen.at(-1)?.revision ?? 0;
    const pages = await Promise.all([-1, last - 2, last].map(next));
    expect(pages.map(({ next_after }) => next_after)).to.deep.equal([1, null, null]);
    expect(pages.map(({ items }) => items.at(0)?.revision)).to.deep.equal([0, last - 1, undefined]);
    const { run_id } = await succeeded(ask().trigger('suggest'));
    await data.caughtUp(readModels);
    const read = (id: string) => readRun(service, videoId(id), run_id);
    const running = await succeeded(read('v'));
    expect([running.state, staleInMs(service, running)]).to.deep.equal(['in_flight', 900_001]);
    expect(running.decisions).to.have.lengthOf(1);
    place.pass(901);
    const stale = await succeeded(read('v'));
    expect([stale.state, staleInMs(service, stale)]).to.deep.equal(['stale', null]);
    expect(await failed(read('w'))).to.deep.equal({ _tag: 'UnknownRun' });
    await data.end();
  });
});
