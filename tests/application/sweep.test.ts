import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import {
  type Sweep,
  giveUpOverdueInferences,
  reactionProcess,
  startSweep,
  sweepOnce,
} from '../../application/processes/sweep.js';
import type { Timers } from '../../application/ports/clock.js';
import { answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import { nothingDecided } from '../../domain/matching/decided.js';
import type { MatchInput } from '../../domain/matching/match-speakers-to-faces.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { queueMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { commandContext } from '../../application/commands/context.js';
import { readEvent } from '../../application/commands/read-event.js';
import { readHistoryPage } from '../../application/queries/events.js';
import { readableEvents } from '../../adapters/event-store/new-events.js';
import type { Matcher } from '../../application/ports/matcher.js';
import { application } from '../../application/reactions/run.js';
import {
  audioState,
  completedMedia,
  logOf,
  sharedCheckpoints,
  type World,
  world,
} from '../support/application/world.js';
import { failingStore, openInMemory, succeeded, until } from '../support/event-store/stores.js';
import { accountId, audioId, faceId, runId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const overdue_seconds = 60;
const id = videoId('v');

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

const followUps = ({ app }: World): Sweep => reactionProcess(app);

describe('a sweep for unfinished work', () => {
  it('runs a reaction that no instance received, once, when it is overdue', async () => {
    const { failing, one, other, pass, checkpoints } = await setUp();
    failing.failAfter(1);
    await succeeded(
      matchFaces(one.app, one.request(), id, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Eve' }]),
    );
    failing.recover();
    const nameOf = async () => (await audioState(other, 'v')).speakers.get(speakerId(1))?.name;
    const sweep = () => sweepOnce(other.app, checkpoints, followUps(other), overdue_seconds);
    pass(overdue_seconds - 1);
    expect(await sweep()).to.equal(null);
    expect(await nameOf()).to.equal('Ann');
    pass(1);
    expect(await sweep()).to.equal(null);
    expect(await nameOf()).to.equal('Eve');
    const log = await logOf(other);
    expect(await sweep()).to.equal(null);
    expect(await sweepOnce(one.app, sharedCheckpoints(), followUps(one), overdue_seconds)).to.equal(null);
    expect(await logOf(other)).to.deep.equal(log);
  });

  it('answers a match run that no instance received, once, also if two instances sweep at the same time', async () => {
    const { one, other, pass, checkpoints } = await setUp();
    await succeeded(queueMatchRun(one.app, one.request(), id, 'commit', null));
    pass(overdue_seconds);
    let attempts = 0;
    const sweepOf = (place: World): Promise<unknown> => {
      const { sweep } = answerMatchRuns(place.app, {
        match: () => {
          attempts += 1;
          return TE.right({ matches: [proposed(1, 1)], unmatched_speakers: [], unmatched_faces: [] });
        },
      });
      return sweepOnce(place.app, checkpoints, sweep, overdue_seconds);
    };
    await Promise.all([one, other].map(sweepOf));
    await sweepOf(one);
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
    const sweep = () => sweepOnce(other.app, checkpoints, giveUpOverdueInferences(other.app), overdue_seconds);
    expect([await sweep(), await sweep()]).to.deep.equal([null, null]);
    const ends = [cutOff, failedBefore, inTime].map(async ({ run_id }) =>
      (await succeeded(readHistoryPage(other.app.store, `nameInference-${run_id}`, 0, 9))).map(
        ({ event }) => event.type === 'NameInferenceFailed' && event.data.reason,
      ),
    );
    expect(await Promise.all(ends)).to.deep.equal([['given up'], ['no answer'], []]);
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
    const unwanted = giveUpOverdueInferences(app);
    const head = await succeeded(store.head());
    expect(await sweepOnce(app, checkpoints, unwanted, overdue_seconds)).to.equal(null);
    expect(await sweepOnce(app, checkpoints, unwanted, overdue_seconds)).to.equal(null);
    expect(readFrom).to.deep.equal([null, head]);
  });

  /** A running sweep with a reaction of the test; `next` lets its interval pass and waits for the end of the sweep. */
  const started = ({ one, checkpoints }: Awaited<ReturnType<typeof setUp>>, react: Sweep['react']) => {
    const waiting: Array<() => void> = [];
    const timers: Pick<Timers, 'after'> = {
      after: (seconds, run) => {
        expect(seconds).to.equal(overdue_seconds);
        waiting.push(run);
        return () => void waiting.splice(0);
      },
    };
    const times = { interval_seconds: overdue_seconds, min_age_seconds: overdue_seconds, all_at_start: true };
    const running = startSweep(one.app, checkpoints, timers, { ...followUps(one), react }, times);
    const next = async () => {
      waiting.splice(0).forEach((run) => run());
      await until('the end of the sweep', () => waiting.length === 1);
    };
    return { ...running, next, waiting };
  };

  it('runs at once, also on what is young, and after each interval; continues after a failure, and stops when it is closed', async () => {
    const place = await setUp();
    const { one } = place;
    let handled = 0;
    const down = TE.left({ _tag: 'StoreUnavailable', reason: 'away' } as const);
    const running = started(place, () => ((handled += 1) === 1 ? down : TE.right(undefined)));
    await running.next();
    expect(one.logged.join()).to.include('a sweep was interrupted');
    await running.next();
    const { events } = await succeeded(one.app.store.readAll(null, followUps(one).filter, 100));
    expect(handled).to.equal(events.length + 1);
    await succeeded(queueMatchRun(one.app, one.request(), id, 'commit', null));
    await running.next();
    expect(handled).to.equal(events.length + 1);
    await running.close();
    expect(running.waiting).to.deep.equal([]);
  });

  it('reports an event that no codec accepts, and continues with it once it can be read', async () => {
    const place = await setUp();
    let isReadable = false;
    const at = { position: '7', stream: 'video-v', revision: 0 };
    const unreadable = { _tag: 'UnreadableEvent', ...at, reason: 'spoilt' } as const;
    const running = started(place, () => (isReadable ? TE.right(undefined) : TE.left(unreadable)));
    await running.next();
    expect(running.stoppedBy()).to.equal('unreadable event at 7 in video-v: spoilt');
    expect(place.one.logged.join()).to.include('process stopped');
    isReadable = true;
    await running.next();
    expect(running.stoppedBy()).to.equal(null);
    await running.close();
  });

  it('survives a reaction that throws', async () => {
    const place = await setUp();
    const running = started(place, () => () => Promise.reject(new Error('a bug')));
    await running.next();
    expect(place.one.logged.join()).to.include('Error: a bug');
    await running.close();
  });
});

describe('the match worker of an instance', () => {
  it('answers an offered run, and shares the work on it with the sweep', async () => {
    const { one, other, checkpoints } = await setUp();
    const inputs: MatchInput[] = [];
    let release = (): void => undefined;
    const worker = answerMatchRuns(one.app, {
      match: (input) => async () => {
        inputs.push(input);
        await new Promise<void>((resolve) => (release = resolve));
        return TE.right({ matches: [proposed(1, 1)], unmatched_speakers: [], unmatched_faces: [] })();
      },
    });
    await succeeded(queueMatchRun(other.app, other.request(), id, 'commit', null));
    const { events } = await succeeded(one.app.store.readAll(null, worker.sweep.filter, 1));
    for (const stored of events) worker.offer(await succeeded(TE.fromEither(readEvent(stored))));
    const swept = sweepOnce(one.app, checkpoints, worker.sweep, 0);
    await until('it is matched', () => inputs.length > 0);
    release();
    expect(await swept).to.equal(null);
    await worker.close();
    const unseen = { tracks: [], talking: [], captions: [] };
    const faces = [1, 2].map((face_id) => ({ face_id, name: face_id === 1 ? 'Face 1' : 'Zoe', ...unseen }));
    const speakers = [1, 2].map((speaker_id) => ({ speaker_id, name: speaker_id === 1 ? 'Ann' : null, turns: [] }));
    expect(inputs).to.deep.equal([{ faces, speakers, target_speaker_ids: null, decided: nothingDecided }]);
    expect((await logOf(one)).filter((line) => line.includes('MatchesCommitted'))).to.have.length(1);
  });
});

/** Returns invalid results first, and then valid ones. */
const matcherThatErrs = (...accuracies: ReadonlyArray<number>): Matcher => {
  let answered = 0;
  return {
    match: () => {
      const accuracy = accuracies[answered] ?? 0.5;
      answered += 1;
      return TE.right({ matches: [proposed(1, 1, accuracy)], unmatched_speakers: [], unmatched_faces: [] });
    },
  };
};

describe('the process that answers match runs', () => {
  for (const mode of ['suggest', 'commit'] as const)
    it(`fails a ${mode} run whose matches could not be stored, and answers the runs after it`, async () => {
      const { store } = await openInMemory();
      const made = world(readableEvents(store));
      const place = { ...made, app: application({ ...made.app, onRunStarted: (event) => worker.offer(event) }) };
      await completedMedia(place, 'v');
      await completedMedia(place, 'w');
      const worker = answerMatchRuns(place.app, matcherThatErrs(Number.NaN, 1.5));
      /** How a run of a video ended, by its event. */
      const endOf = async (video: string): Promise<string> => {
        const { run_id } = await succeeded(queueMatchRun(place.app, place.request(), videoId(video), mode, null));
        for (;;) {
          const { events } = await succeeded(store.readAll(null, { categories: ['video'] }, 10_000));
          for (const event of events) expect(readEvent(event)).to.have.property('_tag', 'Right');
          const lines = events.map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
          const end = lines.find((text) => text.includes(run_id) && !text.startsWith('MatchRunQueued'));
          if (end !== undefined) return end;
          await setTimeout(5);
        }
      };
      expect(await endOf('v'))
        .to.include('the matches cannot be stored')
        .and.to.include('JSON cannot write');
      expect(await endOf('v'))
        .to.include('the matches cannot be stored')
        .and.to.include('accuracy');
      expect(await endOf('w')).to.include(mode === 'suggest' ? 'SuggestionsStored' : 'MatchesCommitted');
      await worker.close();
    });
});
