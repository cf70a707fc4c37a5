import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { inspectFile } from '../../adapters/event-store/sqlite/file.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { valid } from '../projections/given.js';
import { type World, openWorld, toNew } from '../projections/read-models-world.js';
import { failed, succeeded, until } from '../support/event-store/outcomes.js';

const registered = (video_id: string, title: string) =>
  toNew('VideoRegistered.v1', { video_id, owner_id: 'o1', title, kind: 'upload', audio_id: null });

/** Replaces the first byte of a text in a file; once, or wherever the text occurs. */
const damage = (file: string, text: string, byte: number): void => {
  const content = readFileSync(file);
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) content[at] = byte;
  writeFileSync(file, content);
};

describe('a text in a data file that is damaged', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    await world.append('video-v1', registered('v1', 'first title'));
    await world.append('video-v2', registered('v2', 'second title'));
    await world.rows();
  });
  afterEach(() => world.end());

  it('of the read models, which is not valid UTF-8: is never returned, and the rows are rebuilt', async () => {
    damage(world.file, 'second title', 0xff);
    const readModels = world.open();
    expect((await failed(readModels.queries.video(valid(VideoId, 'v2'))))._tag).to.equal('ReadModelsUnavailable');
    await until('rebuilt', () => world.lines.filter(({ message }) => /being rebuilt/.test(message)).length === 2);
    await world.caughtUp(readModels);
    const video = await succeeded(readModels.queries.video(valid(VideoId, 'v2')));
    expect(video?.record.title).to.equal('second title');
  });

  it('of the log, which is not valid UTF-8: causes an error that names its position, also in an audit', async () => {
    await world.close();
    const file = join(world.folder, 'events.db');
    damage(file, 'second title', 0xff);
    const position = '0000000000000002';
    const { store, close } = openSqliteEventStore({ file });
    const reason = `the event log cannot be read at position ${position}: its data is not valid UTF-8; restore it from a backup ("media-analysis audit verify" lists all faults)`;
    expect(await failed(store.read('video-v2', -1, 10))).to.deep.equal({ _tag: 'StoreUnavailable', reason });
    expect((await failed(store.readAll(null, {}, 10))).reason).to.equal(reason);
    expect(await succeeded(store.read('video-v1', -1, 10))).to.have.length(1);
    await close();
    expect(inspectFile(file)).to.deep.equal([
      { kind: 'broken_storage', position, stream: 'video-v2', revision: 0, message: 'its data is not valid UTF-8' },
    ]);
  });
});
