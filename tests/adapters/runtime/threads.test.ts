import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import * as E from 'fp-ts/lib/Either.js';
import { TooLate } from '../../../adapters/runtime/clock.js';
import { type Lane, type Threads, isOutOfMemory, startThreads } from '../../../adapters/runtime/threads.js';
import { Finite } from '../../../domain/kernel/recorded-event.js';
import type { Order } from '../../support/scripted-thread.js';
import { watchThreads } from '../../support/threads.js';
import { threadedComparison } from '../../../adapters/match-worker/comparison.js';
import { threadedMatcher } from '../../../adapters/match-worker/matcher.js';
import { threadedGrounder } from '../../../adapters/name-model/in-threads.js';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import { nothingDecided } from '../../../domain/matching/decided.js';
import { continuations } from '../../../domain/matching/continuations.js';
import { merged } from '../../../domain/matching/intervals.js';
import { faceId, speakerId } from '../../support/values.js';

const result = t.readonlyArray(Finite);
const script = new URL('../../support/scripted-thread.js', import.meta.url);

describe('threads', () => {
  let opened: Threads[] = [];
  const open = (from = script) => {
    const threads = startThreads(from, { short: 32, 'large input': 32, 'large match': 32, 'long transcript': 32 });
    opened.push(threads);
    const run = (work: Order | 'answerLate', lane: Lane = 'short', timeoutMs = 20_000, input: unknown = 0) =>
      threads.run({ work, lane, input, result, timeoutMs, transfer: [] });
    return { ...threads, run };
  };
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });

  const failureOf = (running: Promise<unknown>): Promise<unknown> =>
    running.then(
      () => null,
      (error: unknown) => error,
    );

  it('end after a task that may take much memory', async () => {
    const threads = watchThreads();
    const { run } = open();
    await Promise.all([run('answer', 'large input'), run('answer', 'large input')]);
    expect(await threads.kill()).to.equal(0);
    threads.stopWatching();
  });

  it('reject with the error of the script, and go on', async () => {
    const { run } = open();
    expect(await failureOf(run('fail')))
      .to.be.instanceOf(TypeError)
      .with.property('message', 'thrown by a test');
    expect(await run('answer')).to.have.length(3);
  });

  it('report where a result is invalid, and go on', async () => {
    const { run } = open();
    expect(await failureOf(run('answerOtherwise')))
      .to.be.instanceOf(Error)
      .with.property('message', 'the answer of the thread is invalid at [2]');
    expect(await run('answer')).to.have.length(3);
  });

  for (const order of ['die', 'fill'] as const)
    for (const lane of ['short', 'large input'] as const)
      it(`reject only the task whose thread ends (${order}, ${lane}); waiting tasks run in new ones`, async () => {
        const { run } = open();
        const orders: ReadonlyArray<Order> = [order, 'answer', 'answer', order, 'answer'];
        const [failing, ...others] = orders.map((one) => failureOf(run(one, lane)));
        expect(await failing).to.be.instanceOf(Error);
        expect(isOutOfMemory(await failing)).to.equal(order === 'fill');
        expect((await Promise.all(others)).map((failure) => failure === null)).to.deep.equal([true, true, false, true]);
      });

  it('end a task that takes too long, not counting the time of others', async () => {
    const { run } = open();
    const all = await Promise.all(
      (['hang', 'hang', 'hang', 'answer'] as const).map((order) =>
        failureOf(run(order, 'short', order === 'hang' ? 500 : 20_000)),
      ),
    );
    for (const late of all.slice(0, 3)) expect(late).to.be.instanceOf(TooLate);
    expect(all[3]).to.equal(null);
  });

  it('reject each task with a message if no thread can start, and work again once one can', async () => {
    const { forbid, stopWatching } = watchThreads();
    const { run } = open();
    const allow = forbid();
    for (const failure of await Promise.all([failureOf(run('answer')), failureOf(run('answer'))]))
      expect(failure).to.be.instanceOf(Error);
    allow();
    stopWatching();
    expect(await run('answer')).to.have.length(3);
    const nowhere = open(new URL('./nowhere.js', import.meta.url));
    expect(await failureOf(nowhere.run('answer'))).to.be.instanceOf(Error);
  });

  it('are replaced, and do again what would have taken too long', async () => {
    const threads = watchThreads();
    const { run, renew } = open();
    const [short, long] = [run('answerLate', 'short', 20_000, 300), run('answerLate', 'short', 20_000, 3_000)];
    await setTimeout(200);
    renew();
    expect(await short).to.deep.equal([300]);
    expect(await long).to.deep.equal([3_000]);
    renew();
    await setTimeout(300);
    expect(await threads.kill()).to.equal(0);
    threads.stopWatching();
  });

  it('reject running and waiting tasks when they are closed', async () => {
    const { run, close } = open();
    const all = (['hang', 'answer'] as const).map((order) => failureOf(run(order, 'large input')));
    await setTimeout(100);
    await close();
    for (const failure of [...(await Promise.all(all)), await failureOf(run('answer'))])
      expect(failure).to.be.instanceOf(Error).with.property('message', 'the threads have ended');
  });
});

/** As many faces as are not compared in the thread of the caller, under numbers that begin at `first`. */
const facesFrom = (first: number) =>
  Array.from({ length: 200 }, (_, id) => ({
    id: faceId(first + id),
    present: merged(Array.from({ length: 40 }, (__, n) => ({ start: 10 * n + id / 200, end: 10 * n + 5 + id / 200 }))),
  }));
const analyses = [facesFrom(0), facesFrom(7)] as const;

const grounding = (utterances: number): Grounding => ({
  video_id: null,
  transcript: Array.from({ length: utterances }, (_, at) => ({
    speaker_id: speakerId(at % 2),
    start: at,
    end: at + 0.5,
    text: at === utterances - 1 ? 'Hello, my name is Ädä Lovelace 👩.' : `This is sentence number ${at}.`,
  })),
  speakers: [0, 1].map((id) => ({ speaker_id: speakerId(id), name: null, role: null, synthetic: false })),
  target_speaker_ids: [speakerId(0), speakerId(1)],
  infer_roles: false,
  proposals: [0, 1].map((id) => ({
    speaker_id: speakerId(id),
    name: 'Ädä Lovelace',
    quote: 'my name is Ädä Lovelace',
    pattern: 'self_introduction',
  })),
});

describe('in worker threads', function () {
  this.timeout(60_000);
  const threads = startThreads();
  after(threads.close);

  it('analyses are compared as in the domain, also if the thread fails', async () => {
    const failing: Pick<Threads, 'run'> = { run: () => Promise.reject(new Error('the thread has ended')) };
    for (const inThreads of [threads, failing])
      expect(await threadedComparison(inThreads)(...analyses)()).to.deep.equal(continuations(...analyses));
  });

  it('names are grounded as in the domain, in short and long transcripts', async () => {
    for (const utterances of [4, 5_000]) {
      const rows = await threadedGrounder(threads)(grounding(utterances))();
      expect(rows).to.deep.equal(E.right(ground(grounding(utterances))));
      expect(E.isRight(rows) && rows.right.some(({ name }) => name === 'Ädä Lovelace')).to.equal(true);
    }
  });

  it('a match of too many pairs fails at once, with a message', async () => {
    const none = { name: null, tracks: [], talking: [], captions: [] };
    const input = {
      decided: nothingDecided,
      faces: Array.from({ length: 1_001 }, (_, id) => ({ face_id: faceId(id), ...none })),
      speakers: Array.from({ length: 500 }, (_, id) => ({ speaker_id: speakerId(id), name: null, turns: [] })),
      target_speaker_ids: null,
    };
    expect(await threadedMatcher(threads).match(input)()).to.deep.equal(
      E.left({ _tag: 'MatcherFailed', reason: 'too many pairs: 1001 faces with 500 speakers, 500,000 at most' }),
    );
  });
});
