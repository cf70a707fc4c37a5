import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hashChain } from '../../adapters/event-store/hash-chain.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventStore, NewEvent } from '../../application/ports/event-store.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { count, median, quick, whole } from './support/figures.js';

/*
 * What the hash chain costs an append: the same appends to the same kind of file with and without it, in turns of one
 * run, so that both meet the same machine. The turns are many and short, for what others do to the machine lasts longer
 * than one. Processor time is that of this process, user and system: it is what to judge by on a machine that others use
 * too. `node dist/tests/benchmarks/hash-chain.js [rounds]`
 */

const rounds = count(0, 61, 3);
const [singles, writers, appendsEach] = quick ? [100, 16, 5] : [250, 64, 25];

/** An event as the service writes it. */
const eventOf = (number: number): NewEvent => ({
  id: randomUUID(),
  type: 'FacesMatched.v1',
  data: {
    audio_id: randomUUID(),
    changes: [
      {
        face_id: number % 7,
        before: { name: `Face ${number % 7}`, speaker_id: null, accuracy: null, personality_traits: null },
        after: { name: 'Ada Example', speaker_id: number % 5, accuracy: 0.75, personality_traits: null },
      },
    ],
    speakers: [],
    at: '2026-01-01T00:00:00.000Z',
  },
  metadata: {
    actor: { key_id: randomUUID(), account_id: 'account' },
    correlation_id: randomUUID(),
    causation_id: randomUUID(),
    schema_version: 1,
    recorded_at: '2026-01-01T00:00:00.000Z',
  },
});

const appendOneByOne = async (store: EventStore, stream: string, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1)
    await succeeded(store.append(stream, number === 0 ? 'no_stream' : number - 1, [eventOf(number)]));
};

/** Appends as commands of one stream do: each is sent before the previous one is durable, 64 at a time. */
const appendToOne = async (store: EventStore, stream: string, count: number): Promise<void> => {
  for (let first = 0; first < count; first += writers)
    await Promise.all(
      Array.from({ length: Math.min(writers, count - first) }, (_, index) => {
        const number = first + index;
        return succeeded(store.append(stream, number === 0 ? 'no_stream' : number - 1, [eventOf(number)]));
      }),
    );
};

const kinds: Readonly<
  Record<string, readonly [count: number, (store: EventStore, round: number) => Promise<unknown>]>
> = {
  '1 writer': [singles, (store, round) => appendOneByOne(store, `video-${round}`, singles)],
  [`${writers} writers, a stream each`]: [
    writers * appendsEach,
    (store, round) =>
      Promise.all(
        Array.from({ length: writers }, (_, writer) => appendOneByOne(store, `audio-${round}.${writer}`, appendsEach)),
      ),
  ],
  [`one stream, ${writers} on the way`]: [
    writers * appendsEach,
    (store, round) => appendToOne(store, `matchRun-${round}`, writers * appendsEach),
  ],
};

interface Spent {
  readonly milliseconds: number;
  /** Milliseconds, user and system. */
  readonly processor: number;
}

const spentBy = async (work: () => Promise<unknown>): Promise<Spent> => {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - start, processor: (user + system) / 1_000 };
};

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const { path, remove } = await temporaryFolder();
const [plain, hashed] = ['plain.db', 'hashed.db'].map((name) => openSqliteEventStore({ file: join(path, name) }));
if (plain === undefined || hashed === undefined) throw new Error('no stores');
const stores = { without: plain.store, with: hashChain(hashed.store, { guards: true }) };
const rows: Record<string, object> = {};
for (const [name, [count, work]] of Object.entries(kinds)) {
  const spent = { without: Array<Spent>(), with: Array<Spent>() };
  for (let round = 0; round <= rounds; round += 1)
    for (const side of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const used = await spentBy(() => work(stores[side], round));
      if (round > 0) spent[side].push(used);
    }
  const row = (kind: keyof Spent) => {
    const [bare, chained] = [spent.without, spent.with].map((all) => all.map((used) => used[kind]));
    const ratios = (chained ?? []).map((time, index) => (bare?.[index] ?? 0) / time);
    return { bare: median(bare ?? []), chained: median(chained ?? []), pairs: median(ratios) };
  };
  const [time, processor] = [row('milliseconds'), row('processor')];
  rows[name] = {
    'plain /s': whole((count * 1_000) / time.bare),
    'with hashes /s': whole((count * 1_000) / time.chained),
    'of medians': percent(time.bare / time.chained),
    'of pairs': percent(time.pairs),
    'plain µs CPU': ((1_000 * processor.bare) / count).toFixed(1),
    'with hashes µs CPU': ((1_000 * processor.chained) / count).toFixed(1),
    'CPU of medians': percent(processor.bare / processor.chained),
    'CPU of pairs': percent(processor.pairs),
  };
}
console.table(rows);
await plain.close();
await hashed.close();
await remove();
