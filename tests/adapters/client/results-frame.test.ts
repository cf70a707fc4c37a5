import { expect } from 'chai';
import type * as t from 'io-ts';
import type { ResultsFrame } from '../../../adapters/client/results-frame.js';
import { resultsFrames } from '../../../application/realtime/results-frames.js';

type Sent = t.OutputOf<(typeof resultsFrames)[keyof typeof resultsFrames]>;

/** Compiles only if the client has a type for every frame that the service sends. */
const asClient = (frame: Sent): ResultsFrame => frame;

describe('the frames of the client', () => {
  it('are those that the service sends, including video statistics', () => {
    const frame = resultsFrames.VideoStats.decode({
      type: 'result',
      kind: 'video_stats',
      seq: 1,
      start: 0,
      end: 1,
      frames: 25,
      width: 640,
      height: null,
      session_id: 's',
      at: '2026-01-01T12:00:00.000Z',
    });
    if (frame._tag === 'Left') throw new Error('the frame is not one of the service');
    expect(asClient(resultsFrames.VideoStats.encode(frame.right))).to.include({ kind: 'video_stats', width: 640 });
  });
});
