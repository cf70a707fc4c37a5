import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sealedLog } from '../../adapters/composition/sealed-log.js';
import { hashChain } from '../../adapters/event-store/hash-chain/hash-chain.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { embeddedVault } from '../../adapters/key-vault/embedded-vault.js';
import type { EventStore, NewEvent, Page } from '../../application/ports/event-store.js';
import { videoSubject } from '../../domain/kernel/subject.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { median, quick } from './support/figures.js';

/*
 * What sealing costs: the same appends, and the same reading of all of them, with and without it, in turns of one run,
 * and the size of both files. `node dist/tests/benchmarks/sealed-events.js [rounds]`
 */

const rounds = quick ? 3 : Number(process.argv[2] ?? 31);
const [writers, appendsEach, faces] = quick ? [8, 10, 2] : [64, 25, 2];

const attributes = { name: 'Ada Example', speaker_id: 1, accuracy: 0.75, personality_traits: null };

const eventOf = (stream: string, number: number): NewEvent => ({
  id: randomUUID(),
  type: 'FacesMatched.v2',
  data: {
    audio_id: 'audio',
    changes: Array.from({ length: faces }, (_, face) => ({
      face_id: face,
      before: { ...attributes, name: `Face ${number}` },
      after: attributes,
      named_by: { before: 'analysis', after: 'person' },
    })),
    speakers: [],
    at: '2026-01-01T00:00:00.000Z',
  },
  metadata: { correlation_id: randomUUID(), recorded_at: '2026-01-01T00:00:00.000Z' },
  subjects: [videoSubject(stream)],
});

const appendAll = (store: EventStore, round: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const stream = `${round}.${writer}`;
      for (let number = 0; number < appendsEach; number += 1)
        await succeeded(
          store.append(`video-${stream}`, number === 0 ? 'no_stream' : number - 1, [eventOf(stream, number)]),
        );
    }),
  );

const readAll = async (store: EventStore): Promise<void> => {
  for (let after: string | null = null; ;) {
    const page: Page = await succeeded(store.readAll(after, {}, 500));
    if (page.examined === null) return;
    after = page.examined;
  }
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const { path, remove } = await temporaryFolder();
const [clearFile, sealedFile] = [join(path, 'clear.db'), join(path, 'sealed.db')];
const [clear, below] = [openSqliteEventStore({ file: clearFile }), openSqliteEventStore({ file: sealedFile })];
const vault = embeddedVault(join(path, 'keys.db'), 'a secret of the benchmark');
const plain = hashChain(clear.store, { guards: true });
const sealed = sealedLog(hashChain(below.store, { guards: true }), vault).store;
const ratios: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const [without, withIt] = [await timed(() => appendAll(plain, round)), await timed(() => appendAll(sealed, round))];
  ratios.push(without / withIt);
}
const reads = [];
for (let round = 0; round < 5; round += 1)
  reads.push((await timed(() => readAll(plain))) / (await timed(() => readAll(sealed))));
await clear.close();
await below.close();
vault.close();
console.log(
  `appends, first of each stream with a new key: ${median(ratios).toFixed(2)} of the throughput without sealing`,
);
console.log(
  `reading: ${median(reads).toFixed(2)}; size: ${(statSync(sealedFile).size / statSync(clearFile).size).toFixed(2)}`,
);
await remove();
