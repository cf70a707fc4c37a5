import { expect } from 'chai';
import * as fc from 'fast-check';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { runState, statusAnswer } from '../../projections/run-status.js';
import { at, runId, speakerId } from '../support/values.js';
import {
  block,
  change,
  committed,
  queued,
  recordedMatch,
  registered,
  runFailed,
  runReverted,
  stored,
} from '../support/video-events.js';
import {
  failureNoted,
  lateArrival,
  runCommitted,
  runStarted,
  runSuggested,
  runSuperseded,
  runUndone,
} from '../support/match-run-events.js';
import { rowsAfter, type StreamEvent } from './given.js';

const rowAfter = (events: ReadonlyArray<DomainEvent>) =>
  rowsAfter(...events.map((event) => ['matchRun-r', event] as const)).matchRuns.get('r');
const viewAfter = (...events: ReadonlyArray<DomainEvent>) => rowAfter(events)?.view;

const link = (face_id: number) => change(face_id, {}, { speaker_id: speakerId(face_id) });
const unlink = (face_id: number) => change(face_id, { speaker_id: speakerId(face_id) }, {});

describe('projection: match runs', () => {
  it('shows a queued run', () =>
    expect(viewAfter(runStarted())).to.deep.equal({
      run_id: 'r',
      video_id: 'v',
      audio_id: 'a',
      mode: 'commit',
      target_speaker_ids: [1],
      video_revision: 1,
      queued_at: at(50),
      outcome: null,
      ended_at: null,
      attribution: null,
      candidate_run_ids: [],
      late_write_suspected: false,
      late: false,
      error: null,
      superseded_by: null,
      superseded_at: null,
      changed_faces: [],
      reverted_at: null,
      late_arrivals: [],
    }));

  it('shows the outcome and its attribution', () => {
    const candidate_run_ids = ['r', 's'].map(runId);
    const origin = { attribution: 'assumed' as const, candidate_run_ids, late_write_suspected: true };
    expect(viewAfter(runStarted(), runSuggested(2, { ...origin, late: true }))).to.deep.include({
      ...origin,
      outcome: 'completed',
      ended_at: at(100),
      late: true,
      error: null,
    });
    expect(viewAfter(runStarted(), failureNoted(2))).to.include({ outcome: 'failed', error: 'broken' });
    expect(viewAfter(runStarted(), runSuperseded)).to.include({ superseded_by: 's', superseded_at: at(150) });
  });

  it('shows the newest answer when there are two', () => {
    const answers = [runCommitted(2, [link(1)], { attribution: 'assumed' }), failureNoted(4, [unlink(1)])];
    expect(viewAfter(runStarted(), ...answers)).to.deep.include({ outcome: 'failed', changed_faces: [] });
    expect(viewAfter(failureNoted(2), runSuggested(4))).to.include({ outcome: 'completed', error: null });
  });

  it('lists the changed faces that were not restored', () => {
    const events = [runStarted(), runCommitted(2, [link(1), link(2)])];
    expect(viewAfter(...events)?.changed_faces).to.deep.equal([1, 2]);
    const after = viewAfter(...events, runUndone(3, [unlink(1)]));
    expect(after).to.deep.include({ changed_faces: [2], reverted_at: at(200) });
    const again = runCommitted(4, [link(3)], { replaced: [unlink(2)] });
    expect(viewAfter(...events, again)?.changed_faces).to.deep.equal([1, 3]);
  });

  it('keeps late arrivals as rows of their own', () => {
    const history = [runStarted(), lateArrival(), lateArrival({ status: 'failed', error: 'x', matches: [] })];
    const rows = rowsAfter(...history.map((event) => ['matchRun-r', event] as const));
    const { data } = lateArrival();
    expect(rows.lateArrivals.all().map(({ arrival }) => arrival.status)).to.deep.equal(['completed', 'failed']);
    expect(rows.lateArrivals.get('0002')).to.deep.equal({ position: '0002', run_id: 'r', arrival: data });
  });

  it('shows the same row for any order of events', () => {
    const events = [
      runStarted(),
      runCommitted(2, [link(1), link(2)], { attribution: 'assumed' }),
      runUndone(3, [unlink(1)]),
      runCommitted(4, [link(3)], { replaced: [unlink(2)] }),
      runSuperseded,
      runUndone(6, [unlink(3)]),
    ];
    const expected = rowAfter(events);
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        const row = rowAfter(shuffled);
        const byFace = row?.faces.toSorted((a, b) => a.face_id - b.face_id);
        expect({ ...row, faces: byFace }).to.deep.equal(expected);
      }),
    );
  });
});

const ofVideo = (event: DomainEvent): StreamEvent => ['video-v', event];
const ofRun = (event: DomainEvent): StreamEvent => ['matchRun-r', event];
const lateWritesAfter = (...events: ReadonlyArray<StreamEvent>) => rowsAfter(...events).lateWrites.all();

const linked = change(1, {}, { speaker_id: speakerId(2) });
const suggested = stored(block('r', 100));

describe('projection: late writes', () => {
  it('ignores a write-back that is in time and of certain origin', () =>
    expect(
      lateWritesAfter(
        ...[
          registered(),
          suggested,
          committed('r', 100, { attribution: 'name_channel' }),
          runFailed(100, { attribution: 'assumed' }),
        ].map(ofVideo),
      ),
    ).to.deep.equal([]));

  it('lists a late write-back with what it changed and who sent it', () =>
    expect(
      lateWritesAfter(
        ofVideo(committed('r', 100, { late: true, changes: [linked], matches: [recordedMatch(1, 2, 0.8)] })),
      ),
    ).to.deep.equal([
      {
        position: '0001',
        at: at(100),
        video_id: 'v',
        run_id: 'r',
        status: 'committed',
        reason: null,
        attribution: 'own',
        candidate_run_ids: ['r'],
        late_write_suspected: false,
        late: true,
        matches: [recordedMatch(1, 2, 0.8)],
        changes: [linked],
        reverted_at: null,
        actor: { key_id: 'key', account_id: 'account' },
        request_id: 'request-1',
      },
    ]));

  it('lists write-backs that are suspected, unattributed, or assumed with several candidate runs', () =>
    expect(
      lateWritesAfter(
        ofVideo(stored(block('r', 100), { late_write_suspected: true })),
        ofVideo(committed('r', 100, { attribution: 'unattributed', candidate_run_ids: [] })),
        ofVideo(runFailed(100, { attribution: 'assumed', candidate_run_ids: ['s', 'r'].map(runId) })),
      ).map(({ status }) => status),
    ).to.deep.equal(['stored', 'committed', 'failed']));

  it('combines changes that were taken back and made anew', () => {
    const before = { speaker_id: speakerId(9) };
    const write = committed('r', 100, { late: true, replaced: [change(1, before, {})], changes: [linked] });
    expect(lateWritesAfter(ofVideo(write))[0]?.changes).to.deep.equal([
      change(1, before, { speaker_id: speakerId(2) }),
    ]);
  });

  it('lists an ignored write-back with the video of its run', () => {
    const known = lateWritesAfter(ofRun(runStarted()), ofRun(lateArrival()));
    expect(known).to.have.length(1);
    expect(known[0]).to.deep.include({ status: 'ignored', reason: 'run_ended', video_id: 'v', run_id: 'r' });
    expect(lateWritesAfter(ofRun(lateArrival()))[0]?.video_id).to.equal(null);
  });

  it('marks changes of a run as reverted, once', () => {
    const write = committed('r', 100, { late: true, changes: [linked] });
    const other = committed('s', 100, { late: true, changes: [linked] });
    const rows = lateWritesAfter(
      ofRun(lateArrival()),
      ...[write, other, runReverted(200, []), write, runReverted(400, [])].map(ofVideo),
    );
    expect(rows.map(({ reverted_at }) => reverted_at)).to.deep.equal([null, at(200), null, at(400)]);
  });
});

const window = 900;

const answerAt = (seconds: number, ...events: ReadonlyArray<DomainEvent>) => {
  const history = [registered(), ...events].map((event) => ['video-v', event] as const);
  const view = rowsAfter(...history).videos.get('v');
  return view && statusAnswer(view, at(seconds), window);
};

const stateAt = (seconds: number, ...events: ReadonlyArray<DomainEvent>) => {
  const view = rowsAfter(...events.map((event) => ['matchRun-r', event] as const)).matchRuns.get('r')?.view;
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
    const inFlight = { speaker_face_match_status: 'queue', queued_at: at(50), mode: 'suggest', run_id: 'r' };
    expect(answerAt(950, queued('r', 'suggest', 50))).to.deep.equal({ ...inFlight, in_flight: true, stale: false });
    expect(answerAt(951, queued('r', 'suggest', 50))).to.deep.equal({ ...inFlight, in_flight: false, stale: true });
  });

  it('shows a commit run as stale at once, and an ended run as neither', () => {
    expect(answerAt(51, queued('r', 'commit', 50))).to.include({ in_flight: false, stale: true, queued_at: null });
    expect(answerAt(999, queued('r', 'suggest', 50), suggested)).to.include({ in_flight: false, stale: false });
    expect(answerAt(999, queued('r', 'suggest', 50), runFailed(100, { mode: 'suggest' }))).to.include({
      in_flight: false,
      stale: false,
    });
  });

  it('gives the state of a run', () => {
    expect(stateAt(950, runStarted())).to.equal('in_flight');
    expect(stateAt(951, runStarted())).to.equal('stale');
    expect(stateAt(60, runStarted(), runSuperseded)).to.equal('superseded');
    expect(stateAt(60, runStarted(), runSuperseded, runCommitted(4, []))).to.equal('completed');
    expect(stateAt(60, runStarted(), failureNoted(4))).to.equal('failed');
  });
});
