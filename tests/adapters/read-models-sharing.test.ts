import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { constVoid } from 'fp-ts/lib/function.js';
import { mediaHistory } from '../projections/history.js';
import { type World, delivering, openWorld, rowsOfFile } from '../projections/read-models-world.js';

describe('read models: two processes with one file', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    for (const number of [1, 2, 3])
      for (const { stream, events } of mediaHistory(number, 'o1')) await world.append(stream, ...events);
  });
  afterEach(() => world.end());

  it('both show everything, and the rows are correct', async () => {
    const both = [world.open(), world.open()];
    for (const number of [4, 5, 6])
      for (const { stream, events } of mediaHistory(number, 'o2')) await world.append(stream, ...events);
    await Promise.all(both.map(world.caughtUp));
    await Promise.all(both.map(({ close }) => close()));
    const shared = rowsOfFile(world.file);
    rmSync(world.file);
    expect(await world.rows()).to.deep.equal(shared);
  });

  it('discards changes that another process has overtaken', async () => {
    let release: () => void = constVoid;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = delivering(world.store, (page, onPage) => released.then(() => onPage(page)));
    const slower = world.open({ store: late });
    const rows = await world.rows();
    release();
    await world.caughtUp(slower);
    await slower.close();
    expect(world.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts?.['reason'])).to.deep.equal([
      'another process writes the same read models',
    ]);
    expect(rowsOfFile(world.file)).to.deep.equal(rows);
  });
});
