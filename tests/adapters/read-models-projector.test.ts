import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createProjector } from '../../adapters/read-models/projector.js';
import { openSession } from '../../adapters/read-models/session.js';
import { shapeOf } from '../../adapters/read-models/schema.js';
import type { Page } from '../../application/ports/event-store.js';
import { projections } from '../../projections/projections.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

const position = '0000000000000001';
const page: Page = {
  events: [{ position, stream: 'faceTracks-v', revision: 0, id: 'e', type: 'Any.v1', data: {}, metadata: {} }],
  examined: position,
};

describe('the projector of read models', () => {
  it('writes nothing more once it was asked to come to rest, because the file is then replaced', async () => {
    const { path, remove } = await temporaryFolder();
    const session = openSession(join(path, 'read-models.db'), shapeOf(projections));
    let commits = 0;
    const commit: typeof session.commit = (...given) => {
      commits += 1;
      return session.commit(...given);
    };
    const { take, arrive, idle } = createProjector(
      { ...session, commit },
      {
        isWanted: () => false,
        isRunAwaited: () => false,
        onFailed: () => undefined,
        onCommitted: () => undefined,
        maxEvents: 10,
        maxCharacters: 1_000,
      },
    );
    await arrive();
    await take(page);
    await idle();
    const before = commits;
    await setTimeout(60);
    expect(commits).to.equal(before);
    await session.close();
    await remove();
  });
});
