import { expect } from 'chai';
import { change, committed, failed, lateArrival, reverted, runStarted, suggested, videoRegistered } from './facts.js';
import { type StreamEvent, at, rowsAfter } from './given.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';

const video = (event: DomainEvent): StreamEvent => ['video-v1', event];
const run = (event: DomainEvent): StreamEvent => ['matchRun-r1', event];
const lateWritesAfter = (...events: ReadonlyArray<StreamEvent>) => rowsAfter(...events).lateWrites.all();

const link = change(1, {}, { speaker_id: 2 });

describe('projection: late writes', () => {
  it('ignores a write-back that is in time and of certain origin', () =>
    expect(
      lateWritesAfter(
        ...[
          videoRegistered(),
          suggested(),
          committed({ attribution: 'name_channel' }),
          failed('suggest', { attribution: 'assumed' }),
        ].map(video),
      ),
    ).to.deep.equal([]));

  it('lists a late write-back with what it changed and who sent it', () =>
    expect(
      lateWritesAfter(
        video(committed({ late: true, changes: [link], matches: [{ face_id: 1, speaker_id: 2, accuracy: 0.8 }] })),
      ),
    ).to.deep.equal([
      {
        position: '0001',
        at: at(100),
        video_id: 'v1',
        run_id: 'r1',
        status: 'committed',
        reason: null,
        attribution: 'own',
        candidate_run_ids: ['r1'],
        late_write_suspected: false,
        late: true,
        matches: [{ face_id: 1, speaker_id: 2, accuracy: 0.8 }],
        changes: [link],
        reverted_at: null,
        actor: { key_id: 'key', account_id: 'account' },
        request_id: 'request-1',
      },
    ]));

  it('lists write-backs that are suspected, unattributed, or assumed with several candidate runs', () =>
    expect(
      lateWritesAfter(
        video(suggested({ late_write_suspected: true })),
        video(committed({ attribution: 'unattributed', candidate_run_ids: [] })),
        video(failed('commit', { attribution: 'assumed', candidate_run_ids: ['r0', 'r1'] })),
      ).map(({ status }) => status),
    ).to.deep.equal(['stored', 'committed', 'failed']));

  it('combines changes that were taken back and made anew', () => {
    const before = { speaker_id: 9 };
    const write = committed({ late: true, replaced: [change(1, before, {})], changes: [link] });
    expect(lateWritesAfter(video(write))[0]?.changes).to.deep.equal([change(1, before, { speaker_id: 2 })]);
  });

  it('lists an ignored write-back with the video of its run', () => {
    const known = lateWritesAfter(run(runStarted()), run(lateArrival()));
    expect(known).to.have.length(1);
    expect(known[0]).to.deep.include({ status: 'ignored', reason: 'run_ended', video_id: 'v1', run_id: 'r1' });
    expect(lateWritesAfter(run(lateArrival()))[0]?.video_id).to.equal(null);
  });

  it('marks changes of a run as reverted, once', () => {
    const write = committed({ late: true, changes: [link] });
    const other = committed({ late: true, changes: [link], run_id: 'r2' });
    const rows = lateWritesAfter(
      run(lateArrival()),
      ...[write, other, reverted(), write, reverted({ at: at(400) })].map(video),
    );
    expect(rows.map(({ reverted_at }) => reverted_at)).to.deep.equal([null, at(200), null, at(400)]);
  });
});
