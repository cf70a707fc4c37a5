import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import { at, runId } from '../../support/values.js';
import { audio, decided, matched, ruling, video } from '../../support/link-decisions.js';
import { change, committed, proposed, queued, theVideo } from '../../support/video-events.js';

describe("people's decisions and runs", () => {
  const links = [
    ...video,
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) })], [ruling(3, 3)]),
  ];
  const answer = (run_id: 'r' | null, ...matches: ReadonlyArray<ReturnType<typeof proposed>>): VideoCommand => ({
    type: 'ReceiveWriteBack',
    run_id: run_id === null ? null : runId('r'),
    unattributed_run_id: runId('u'),
    answer: { status: 'completed', matches, unmatched_speakers: [] },
    video_revision: null,
    audio,
    stale_seconds: 900,
    at: at(20),
  });
  it("leave what contradicts them out of a run's own answer, and keep what a person made", () => {
    const [event] = theVideo
      .given(...links, queued('r', 'commit', 1))
      .when(answer('r', proposed(1, 2), proposed(3, 3)))
      .thenEvents();
    if (event?.type !== 'MatchesCommitted') throw new Error('nothing was committed');
    expect(event.data.changes).to.deep.equal([]);
    expect(event.data.skipped).to.deep.equal([
      { face_id: 1, speaker_id: 2, reason: 'face_confirmed' },
      { face_id: 3, speaker_id: 3, reason: 'pair_rejected' },
    ]);
    theVideo.given(...links, queued('r', 'commit', 1)).cases([
      answer('r', proposed(1, 1)),
      [
        committed('r', 20, {
          matches: [{ ...proposed(1, 1) }].map(({ face_id, speaker_id, accuracy }) => ({
            face_id,
            speaker_id,
            accuracy,
          })),
        }),
      ],
    ]);
  });
  it('do not affect an answer without a run id', () => {
    const [event] = theVideo
      .given(...links)
      .when(answer(null, proposed(1, 2), proposed(3, 3)))
      .thenEvents();
    if (event?.type !== 'MatchesCommitted') throw new Error('nothing was committed');
    expect(event.data.changes.map(({ face_id, after }) => [face_id, after.speaker_id])).to.deep.equal([
      [2, null],
      [1, 2],
      [3, 3],
    ]);
    expect(event.data).not.to.have.property('skipped');
  });
});
