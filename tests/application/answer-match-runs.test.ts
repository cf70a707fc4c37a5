import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { readableEvents } from '../../adapters/event-store/new-events.js';
import type { Matcher } from '../../application/ports/matcher.js';
import { application } from '../../application/reactions/run.js';
import { answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import { queueMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { readEvent } from '../../application/commands/read-event.js';
import { completedMedia, world } from '../support/application/world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

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
      const endOf = async (id: string): Promise<string> => {
        const { run_id } = await succeeded(queueMatchRun(place.app, place.request(), videoId(id), mode, null));
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
