import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { threadedComparison } from '../../adapters/match-worker/comparison.js';
import { threadedMatcher } from '../../adapters/match-worker/matcher.js';
import { threadedGrounder } from '../../adapters/name-model/in-threads.js';
import { type Threads, startThreads } from '../../adapters/runtime/threads.js';
import { type Grounding, ground } from '../../domain/grounding/ground.js';
import { nothingDecided } from '../../domain/matching/decided.js';
import { continuations } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/intervals.js';
import { faceId, speakerId } from '../support/values.js';

/** As many faces as are not compared in the thread of the caller, under numbers that begin at `first`. */
const facesFrom = (first: number) =>
  Array.from({ length: 200 }, (_, id) => ({
    id: faceId(first + id),
    present: merged(Array.from({ length: 40 }, (__, n) => ({ start: 10 * n + id / 200, end: 10 * n + 5 + id / 200 }))),
  }));
const analyses = [facesFrom(0), facesFrom(7)] as const;

const grounding = (utterances: number): Grounding => ({
  video_id: null,
  transcript: Array.from({ length: utterances }, (_, at) => ({
    speaker_id: speakerId(at % 2),
    start: at,
    end: at + 0.5,
    text: at === utterances - 1 ? 'Hello, my name is Ädä Lovelace 👩.' : `This is sentence number ${at}.`,
  })),
  speakers: [0, 1].map((id) => ({ speaker_id: speakerId(id), name: null, role: null, synthetic: false })),
  target_speaker_ids: [speakerId(0), speakerId(1)],
  infer_roles: false,
  proposals: [0, 1].map((id) => ({
    speaker_id: speakerId(id),
    name: 'Ädä Lovelace',
    quote: 'my name is Ädä Lovelace',
    pattern: 'self_introduction',
  })),
});

describe('in worker threads', function () {
  this.timeout(60_000);
  const threads = startThreads();
  after(threads.close);

  it('analyses are compared as in the domain, also if the thread fails', async () => {
    const failing: Pick<Threads, 'run'> = { run: () => Promise.reject(new Error('the thread has ended')) };
    for (const inThreads of [threads, failing])
      expect(await threadedComparison(inThreads)(...analyses)()).to.deep.equal(continuations(...analyses));
  });

  it('names are grounded as in the domain, in short and long transcripts', async () => {
    for (const utterances of [4, 5_000]) {
      const rows = await threadedGrounder(threads)(grounding(utterances))();
      expect(rows).to.deep.equal(E.right(ground(grounding(utterances))));
      expect(E.isRight(rows) && rows.right.some(({ name }) => name === 'Ädä Lovelace')).to.equal(true);
    }
  });

  it('grounding fails if its thread ends', async () => {
    const closing = startThreads();
    const broken = threadedGrounder(closing)(grounding(20_000))();
    await closing.close();
    expect(E.isLeft(await broken)).to.equal(true);
  });

  it('a match of too many pairs fails at once, with a message', async () => {
    const none = { name: null, tracks: [], talking: [], captions: [] };
    const input = {
      decided: nothingDecided,
      faces: Array.from({ length: 1_001 }, (_, id) => ({ face_id: faceId(id), ...none })),
      speakers: Array.from({ length: 500 }, (_, id) => ({ speaker_id: speakerId(id), name: null, turns: [] })),
      target_speaker_ids: null,
    };
    expect(await threadedMatcher(threads).match(input)()).to.deep.equal(
      E.left({ _tag: 'MatcherFailed', reason: 'too many pairs: 1001 faces with 500 speakers, 500,000 at most' }),
    );
  });
});
