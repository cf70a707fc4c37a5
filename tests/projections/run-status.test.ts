import { expect } from 'chai';
import { runState, statusAnswer } from '../../projections/run-status.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { failed, queued, runCommitted, runStarted, suggested, videoRegistered } from './facts.js';
import { at, fact, rowsAfter } from './given.js';

const window = 900;

const answerAt = (seconds: number, ...events: ReadonlyArray<DomainEvent>) => {
  const history = [videoRegistered(), ...events].map((event) => ['video-v1', event] as const);
  const view = rowsAfter(...history).videos.get('v1');
  return view && statusAnswer(view, at(seconds), window);
};

const stateAt = (seconds: number, ...events: ReadonlyArray<DomainEvent>) => {
  const view = rowsAfter(...events.map((event) => ['matchRun-r1', event] as const)).matchRuns.get('r1')?.view;
  return view && runState(view, at(seconds), window);
};

describe('status of match runs', () => {
  it('answers nulls without any run', () =>
    expect(answerAt(1)).to.deep.equal({
      speaker_face_match_status: null,
      queued_at: null,
      mode: null,
      run_id: null,
      in_flight: false,
      stale: false,
    }));

  it('shows a suggest run in flight until the stale window ends', () => {
    const inFlight = { speaker_face_match_status: 'queue', queued_at: at(50), mode: 'suggest', run_id: 'r1' };
    expect(answerAt(950, queued('suggest'))).to.deep.equal({ ...inFlight, in_flight: true, stale: false });
    expect(answerAt(951, queued('suggest'))).to.deep.equal({ ...inFlight, in_flight: false, stale: true });
  });

  it('shows a commit run as stale at once, and an ended run as neither', () => {
    expect(answerAt(51, queued('commit'))).to.include({ in_flight: false, stale: true, queued_at: null });
    expect(answerAt(999, queued('suggest'), suggested())).to.include({ in_flight: false, stale: false });
    expect(answerAt(999, queued('suggest'), failed('suggest'))).to.include({ in_flight: false, stale: false });
  });

  it('gives the state of a run', () => {
    const superseded = fact('MatchRunSuperseded', { video_revision: 3, by: 'r2', at: at(60) });
    const failure = fact('MatchRunFailureNoted', {
      video_revision: 4,
      attribution: 'own',
      candidate_run_ids: [],
      late_write_suspected: false,
      late: false,
      at: at(70),
      error: 'x',
      replaced: [],
    });
    expect(stateAt(950, runStarted())).to.equal('in_flight');
    expect(stateAt(951, runStarted())).to.equal('stale');
    expect(stateAt(60, runStarted(), superseded)).to.equal('superseded');
    expect(stateAt(60, runStarted(), superseded, runCommitted(4, []))).to.equal('completed');
    expect(stateAt(60, runStarted(), failure)).to.equal('failed');
  });
});
