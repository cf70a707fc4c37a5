import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { threadedMatcher } from '../../adapters/match-worker/matcher.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import type { MatchInput } from '../../domain/matching/match-speakers-to-faces.js';
import { faceId, speakerId } from '../support/values.js';

/** This number of faces and speakers, all present from beginning to end, in ten intervals. */
const largeInput = (faces: number, speakers: number): MatchInput => {
  const spans = (id: number) =>
    Array.from({ length: 10 }, (_, n) => ({ start: 100 * n + (id % 50), end: 100 * n + 60 + (id % 39) }));
  return {
    faces: Array.from({ length: faces }, (_, id) => ({
      face_id: faceId(id),
      name: null,
      tracks: spans(id),
      talking: [],
      captions: [],
    })),
    speakers: Array.from({ length: speakers }, (_, id) => ({
      speaker_id: speakerId(id),
      name: null,
      turns: spans(id + 7),
    })),
    target_speaker_ids: null,
  };
};

describe('matches in worker threads', function () {
  this.timeout(60_000);
  const threads = startThreads();
  const pool = threadedMatcher(threads);
  after(threads.close);

  it('fail at once with a message if there are too many pairs', async () => {
    const result = await pool.match(largeInput(1_001, 500))();
    expect(result).to.deep.equal(
      E.left({ _tag: 'MatcherFailed', reason: 'too many pairs: 1001 faces with 500 speakers, 500,000 at most' }),
    );
  });
});
