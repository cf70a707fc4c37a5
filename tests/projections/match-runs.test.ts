import { expect } from 'chai';
import * as fc from 'fast-check';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { booked, change, lateArrival, runCommitted, runStarted } from './facts.js';
import { at, fact, rowsAfter } from './given.js';

const rowAfter = (events: ReadonlyArray<DomainEvent>) =>
  rowsAfter(...events.map((event) => ['matchRun-r1', event] as const)).matchRuns.get('r1');
const viewAfter = (...events: ReadonlyArray<DomainEvent>) => rowAfter(events)?.view;

const link = (face_id: number) => change(face_id, {}, { speaker_id: face_id });
const unlink = (face_id: number) => change(face_id, { speaker_id: face_id }, {});
const suggested = (video_revision: number, parts: object = {}) =>
  fact('MatchRunSuggested', { video_revision, ...booked(parts), suggested: 2 });
const failed = (video_revision: number, replaced: ReadonlyArray<object> = []) =>
  fact('MatchRunFailureNoted', { video_revision, ...booked(), error: 'broken', replaced });
const undone = (video_revision: number, changes: ReadonlyArray<object>) =>
  fact('MatchRunUndone', { video_revision, changes, at: at(200) });
const superseded = fact('MatchRunSuperseded', { video_revision: 5, by: 'r2', at: at(150) });

describe('projection: match runs', () => {
  it('shows a queued run', () =>
    expect(viewAfter(runStarted())).to.deep.equal({
      run_id: 'r1',
      video_id: 'v1',
      audio_id: 'a1',
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
    const origin = { attribution: 'assumed', candidate_run_ids: ['r1', 'r0'], late_write_suspected: true };
    expect(viewAfter(runStarted(), suggested(2, { ...origin, late: true }))).to.deep.include({
      ...origin,
      outcome: 'completed',
      ended_at: at(100),
      late: true,
      error: null,
    });
    expect(viewAfter(runStarted(), failed(2))).to.include({ outcome: 'failed', error: 'broken' });
    expect(viewAfter(runStarted(), superseded)).to.include({ superseded_by: 'r2', superseded_at: at(150) });
  });

  it('shows the newest answer when there are two', () => {
    const answers = [runCommitted(2, [link(1)], booked({ attribution: 'assumed' })), failed(4, [unlink(1)])];
    expect(viewAfter(runStarted(), ...answers)).to.deep.include({ outcome: 'failed', changed_faces: [] });
    expect(viewAfter(failed(2), suggested(4))).to.include({ outcome: 'completed', error: null });
  });

  it('lists the changed faces that were not restored', () => {
    const events = [runStarted(), runCommitted(2, [link(1), link(2)])];
    expect(viewAfter(...events)?.changed_faces).to.deep.equal([1, 2]);
    const after = viewAfter(...events, undone(3, [unlink(1)]));
    expect(after).to.deep.include({ changed_faces: [2], reverted_at: at(200) });
    const again = runCommitted(4, [link(3)], { replaced: [unlink(2)] });
    expect(viewAfter(...events, again)?.changed_faces).to.deep.equal([1, 3]);
  });

  it('keeps late arrivals as rows of their own', () => {
    const history = [runStarted(), lateArrival(), lateArrival({ status: 'failed', error: 'x', matches: [] })];
    const rows = rowsAfter(...history.map((event) => ['matchRun-r1', event] as const));
    const { data } = lateArrival();
    expect(rows.lateArrivals.all().map(({ arrival }) => arrival.status)).to.deep.equal(['completed', 'failed']);
    expect(rows.lateArrivals.get('0002')).to.deep.equal({ position: '0002', run_id: 'r1', arrival: data });
  });

  it('shows the same row for any order of events', () => {
    const events = [
      runStarted(),
      runCommitted(2, [link(1), link(2)], booked({ attribution: 'assumed' })),
      undone(3, [unlink(1)]),
      runCommitted(4, [link(3)], { replaced: [unlink(2)] }),
      superseded,
      undone(6, [unlink(3)]),
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
