import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { giveUpOverdue } from '../../application/name-inference/give-up-overdue.js';
import type { Checkpoints } from '../../application/ports/checkpoints.js';
import type { Timers } from '../../application/ports/clock.js';
import { answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import { reactionProcess } from '../../application/processes/reaction-process.js';
import { type Sweep, trackProcess, startSweeps, sweepOnce } from '../../application/processes/sweep.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { queueMatchRun } from '../../application/use-cases/match-runs/queue-match-run.js';
import { commandContext } from '../../application/commands/context.js';
import { readEvent } from '../../application/commands/read-event.js';
import { audioState, completedMedia } from '../support/application/media.js';
import { logOf } from '../support/application/run-reactions.js';
import { type World, world } from '../support/application/world.js';
import { failingStore } from '../support/event-store/failing-store.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded, until } from '../support/event-store/outcomes.js';
import { accountId, audioId, faceId, runId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const overdue_seconds = 60;
const id = videoId('v');

/** Checkpoints that all instances of a test share. */
const sharedCheckpoints = (): Checkpoints => {
  const saved = new Map<string, string>();
  return {
    load: (process) => TE.fromIO(() => saved.get(process) ?? null),
    save: (process, position) => TE.fromIO(() => void saved.set(process, position)),
  };
};

const unknown = (): 'unknown' => 'unknown';

const setUp = async () => {
  const { store } = await openInMemory();
  const failing = failingStore(store);
  const one = world(failing.store, 'one');
  const other = world(store, 'other');
  await completedMedia(one, 'v');
  failing.recover();
  const pass = (seconds: number): void => [one, other].forEach((place) => place.pass(seconds));
  return { failing, one, other, pass, checkpoints: sharedCheckpoints() };
};

const followUps = ({ app }: World): Sweep => ({ process: reactionProcess(app), overdue_seconds, progressOf: unknown });

describe('a sweep for unfinished work', () => {
  it('runs a reaction that no instance received, once, when it is overdue', async () => {
    const { failing, one, other, pass, checkpoints } = await setUp();
    failing.failAfter(1);
    await succeeded(
      matchFaces(one.app, one.request(), id, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Eve' }]),
    );
    failing.recover();
    const nameOf = async () => (await audioState(other, 'v')).speakers.get(speakerId(1))?.name;
    const sweep = () => sweepOnce(other.app, checkpoints, followUps(other));
    pass(overdue_seconds - 1);
    expect(await sweep()).to.equal(null);
    expect(await nameOf()).to.equal('Ann');
    pass(1);
    expect(await sweep()).to.equal(null);
    expect(await nameOf()).to.equal('Eve');
    const log = await logOf(other);
    expect(await sweep()).to.equal(null);
    expect(await sweepOnce(one.app, sharedCheckpoints(), followUps(one))).to.equal(null);
    expect(await logOf(other)).to.deep.equal(log);
  });

  it('answers a match run that no instance received, once, also if two instances sweep at the same time', async () => {
    const { one, other, pass, checkpoints } = await setUp();
    await succeeded(queueMatchRun(one.app, one.request(), id, 'commit', null));
    pass(overdue_seconds);
    let attempts = 0;
    const sweepOf = (place: World): Sweep => ({
      process: answerMatchRuns(place.app, {
        match: () => {
          attempts += 1;
          return TE.right({ matches: [proposed(1, 1)], unmatched_speakers: [], unmatched_faces: [] });
        },
      }),
      overdue_seconds,
      progressOf: unknown,
    });
    await Promise.all([one, other].map((place) => sweepOnce(place.app, checkpoints, sweepOf(place))));
    await sweepOnce(one.app, checkpoints, sweepOf(one));
    expect(attempts).to.be.within(1, 2);
    const log = await logOf(one);
    expect(log.filter((line) => line.includes('MatchesCommitted'))).to.have.length(1);
    expect(log.filter((line) => line.includes('LateWriteBackArrived'))).to.deep.equal([]);
  });

  it('ends a name inference whose instance has ended, but no answered one and none before its deadline', async () => {
    const { one, other, pass, checkpoints } = await setUp();
    const begun = async (text: string) => {
      const run_id = runId(text);
      const inquiry = {
        run_id,
        audio_id: audioId('v'),
        video_id: null,
        account_id: accountId('owner'),
        mode: 'suggest',
        target_speaker_ids: [],
        infer_roles: false,
        model: 'm',
        at: one.app.clock.now(),
      } as const;
      const { nameInferences } = one.app;
      const handle = (command: Parameters<typeof nameInferences.handle>[1]) =>
        succeeded(nameInferences.handle(run_id, command, commandContext(one.app.ids, one.request())));
      await handle({ type: 'RequestNameInference', ...inquiry });
      return { run_id, handle };
    };
    const cutOff = await begun('00000000-0000-4000-8000-000000000001');
    const failedBefore = await begun('00000000-0000-4000-8000-000000000002');
    await failedBefore.handle({ type: 'RecordNameFailure', reason: 'no answer', at: one.app.clock.now() });
    pass(overdue_seconds);
    const inTime = await begun('00000000-0000-4000-8000-000000000003');
    const sweep = () =>
      sweepOnce(other.app, checkpoints, { process: giveUpOverdue(other.app), overdue_seconds, progressOf: unknown });
    expect([await sweep(), await sweep()]).to.deep.equal([null, null]);
    const states = [cutOff, failedBefore, inTime].map(async ({ run_id }) => {
      const { state } = await succeeded(other.app.nameInferences.load(run_id));
      return state._tag === 'Failed' ? state.reason : state._tag;
    });
    expect(await Promise.all(states)).to.deep.equal(['given up', 'no answer', 'Requested']);
  });

  it('skips work that this instance has done, and waits for work in progress', async () => {
    const { one, pass, checkpoints } = await setUp();
    await succeeded(queueMatchRun(one.app, one.request(), id, 'commit', null));
    pass(overdue_seconds);
    const reacted: string[] = [];
    let release = (): void => undefined;
    const { filter, name } = reactionProcess(one.app);
    const { process, progressOf } = trackProcess({
      name,
      filter,
      concurrency: 1,
      react:
        ({ event_id }) =>
        async () => {
          reacted.push(event_id);
          await new Promise<void>((resolve) => (release = resolve));
          return TE.right(undefined)();
        },
    });
    const sweep = () => sweepOnce(one.app, checkpoints, { process, overdue_seconds, progressOf });
    const { events } = await succeeded(one.app.store.readAll(null, filter, 1));
    const [first] = await Promise.all(events.map((event) => succeeded(TE.fromEither(readEvent(event)))));
    if (first === undefined) throw new Error('there is no event to react to');
    const work = process.react(first)();
    expect(await sweep()).to.equal(null);
    expect(reacted).to.have.length(1);
    release();
    await work;
    const swept = sweep();
    for (let left = 20; left > 0; left -= 1) {
      release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await swept;
    expect(reacted.filter((event_id) => event_id === first.event_id)).to.have.length(1);
  });

  it('lets an event that is delivered again share the work that is in progress on it', async () => {
    const { one } = await setUp();
    const ends: Array<() => void> = [];
    const { process } = trackProcess({
      ...reactionProcess(one.app),
      react: () => async () => {
        await new Promise<void>((resolve) => ends.push(resolve));
        return TE.right(undefined)();
      },
    });
    const [stored] = await succeeded(one.app.store.read('video-v', -1, 1));
    if (stored === undefined) throw new Error('there is no event to react to');
    const event = await succeeded(TE.fromEither(readEvent(stored)));
    const both = [process.react(event)(), process.react(event)()];
    await until('it is being handled', () => ends.length > 0);
    expect(ends).to.have.length(1);
    ends.forEach((end) => end());
    await Promise.all(both);
    const again = process.react(event)();
    await until('it is being handled again', () => ends.length > 1);
    ends.forEach((end) => end());
    await again;
  });

  it('begins where the last sweep ended, also after irrelevant events, however long the log', async () => {
    const { one, pass, checkpoints } = await setUp();
    pass(overdue_seconds);
    const readFrom: Array<string | null> = [];
    const { store } = one.app;
    const app = {
      ...one.app,
      store: {
        ...store,
        readAll: (...[after, filter, limit]: Parameters<typeof store.readAll>) => {
          readFrom.push(after);
          return store.readAll(after, filter, limit);
        },
      },
    };
    const unwanted = { process: giveUpOverdue(app), overdue_seconds, progressOf: unknown };
    const head = await succeeded(store.head());
    expect(await sweepOnce(app, checkpoints, unwanted)).to.equal(null);
    expect(await sweepOnce(app, checkpoints, unwanted)).to.equal(null);
    expect(readFrom).to.deep.equal([null, head]);
    await succeeded(checkpoints.save('follow-ups', head ?? ''));
    readFrom.splice(0);
    expect(await sweepOnce(app, checkpoints, { ...followUps(one) })).to.equal(null);
    expect(readFrom).to.deep.equal([head]);
  });

  it('runs at once and after each interval, continues after a failure, and stops when it is closed', async () => {
    const { one, pass, checkpoints } = await setUp();
    await succeeded(queueMatchRun(one.app, one.request(), id, 'commit', null));
    pass(overdue_seconds);
    let sweeps = 0;
    const waiting: Array<() => void> = [];
    const timers: Timers = {
      now: one.app.clock.now,
      after: (seconds, run) => {
        expect(seconds).to.equal(overdue_seconds);
        waiting.push(run);
        return () => void waiting.splice(0);
      },
    };
    const down = TE.left({ _tag: 'StoreUnavailable', reason: 'away' } as const);
    const counting: Sweep = {
      ...followUps(one),
      process: { ...reactionProcess(one.app), react: () => ((sweeps += 1) === 1 ? down : TE.right(undefined)) },
    };
    const running = startSweeps(one.app, checkpoints, timers, [counting], overdue_seconds);
    await until('the first sweep', () => waiting.length === 1);
    expect(one.logged.join()).to.include('a sweep was interrupted');
    waiting.splice(0).forEach((run) => run());
    await until('the second sweep', () => waiting.length === 1);
    const after = sweeps;
    expect(after).to.be.greaterThan(1);
    await running.close();
    expect(waiting).to.deep.equal([]);
  });

  it('goes on with the next one after a reaction that throws', async () => {
    const { one, pass, checkpoints } = await setUp();
    pass(overdue_seconds);
    const react = () => () => Promise.reject(new Error('a bug'));
    const throwing = { ...followUps(one), process: { ...reactionProcess(one.app), react } };
    let waits = 0;
    const timers: Timers = { now: one.app.clock.now, after: () => ((waits += 1), () => undefined) };
    const running = startSweeps(one.app, checkpoints, timers, [throwing, followUps(one)], overdue_seconds);
    await until('the end of the sweeps', () => waits === 1);
    expect(one.logged.join()).to.include('Error: a bug');
    expect(await succeeded(checkpoints.load('sweep-follow-ups'))).not.to.equal(null);
    await running.close();
  });
});
