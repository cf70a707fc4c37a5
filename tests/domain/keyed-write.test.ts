import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import type { ClaimWrite, EndWrite, IdempotencyKeyEvent } from '../../domain/idempotency-key/contract.js';
import { idempotencyKey } from '../../domain/idempotency-key/decider.js';
import { specification } from '../support/specification.js';
import { accountId, at, instanceId } from '../support/values.js';

/** A granted claim is held, and a recorded end happens once. */
const theKey = specification(idempotencyKey, () => null);

interface Claimed {
  readonly digest?: string;
  readonly instance?: string;
  readonly process?: string;
}

const facts = (
  write_id: string,
  seconds: number,
  { digest = 'same', instance = 'i', process = 'p' }: Claimed = {},
) => ({
  account_id: accountId('owner'),
  write_id,
  request_digest: digest,
  instance_id: instanceId(instance),
  process_id: process,
  at: at(seconds),
});
const claim = (...parts: Parameters<typeof facts>): ClaimWrite => ({ type: 'ClaimWrite', ...facts(...parts) });
const claimed = (...parts: Parameters<typeof facts>): IdempotencyKeyEvent => ({
  type: 'WriteClaimed',
  data: facts(...parts),
});
const answer = { write_id: 'w1', text: '{}', headers: { ETag: '"1"' }, secret_of: null, at: at(1) };
const answered: EndWrite['ending'] = { type: 'WriteAnswered', data: answer };
const piece: EndWrite['ending'] = { type: 'AnswerPieceKept', data: { write_id: 'w1', text: '[' } };
const released = (may_be_written: boolean): EndWrite['ending'] => ({
  type: 'WriteReleased',
  data: { write_id: 'w1', may_be_written, at: at(1) },
});
const end = (ending: EndWrite['ending']): EndWrite => ({ type: 'EndWrite', process_id: 'p', ending });
const takenOver = { _tag: 'WriteTakenOver' as const, write_id: 'w1' };
const held = { _tag: 'WriteHeld' as const, write_id: 'w1' };
const reused = { _tag: 'KeyReused' as const };
const another = { digest: 'other' };
const mine = theKey.given(claimed('w1', 0));
const day = 24 * 3_600;

describe('an idempotency key of a write', () => {
  it('concerns the subjects shown in its answer, and none if there are none', () => {
    const about = (command: ClaimWrite | EndWrite) => idempotencyKey.about?.(idempotencyKey.initial, answered, command);
    expect(about({ ...end(answered), about: ['video-v', 'audio-a'] })).to.deep.equal(['video-v', 'audio-a']);
    expect(about(end(answered))).to.deep.equal([]);
    expect(about(claim('w1', 0))).to.deep.equal([]);
  });

  it('is claimed by the first request, and refused to repetitions and other requests, answered or not', () => {
    theKey.given().cases([claim('w1', 0), [claimed('w1', 0)]]);
    mine.cases([claim('w2', 1), held], [claim('w2', 1, another), reused]);
    theKey
      .given(claimed('w1', 0), answered)
      .cases([claim('w2', 1, { process: 'q' }), held], [claim('w2', 1, another), reused]);
  });

  it('passes on with its write id when its process was replaced or is silent too long', () => {
    const next = { process: 'q' };
    const other = { instance: 'j', process: 'q' };
    mine.cases(
      [claim('w2', 1, next), [claimed('w1', 1, next)]],
      [claim('w2', 30, other), held],
      [claim('w2', 31, other), [claimed('w1', 31, other)]],
      [{ ...claim('w2', 65, other), abandoned_after_seconds: 65 }, held],
    );
    theKey.given(claimed('w1', 0), claimed('w1', 31, other)).cases([claim('w2', 40), held]);
  });

  it('is free for any request after a refusal; after a failure the same write continues', () => {
    theKey.given(claimed('w1', 0), released(false)).cases([claim('w2', 2, another), [claimed('w2', 2, another)]]);
    theKey
      .given(claimed('w1', 0), released(true))
      .cases([claim('w2', 2), [claimed('w1', 2)]], [claim('w2', 2, another), reused]);
  });

  it('is answered once, by the process that holds it, and freed by no other', () => {
    const taken = claimed('w1', 31, { instance: 'j', process: 'q' });
    for (const ending of [piece, answered, released(false)]) {
      mine.cases([end(ending), [ending]]);
      for (const given of [[], [claimed('w1', 0), answered], [claimed('w2', 0)], [claimed('w1', 0), taken]])
        theKey.given(...given).cases([end(ending), takenOver]);
    }
  });

  it('lasts 24 hours from the first claim, and is free for any request after that', () =>
    theKey
      .given(claimed('w1', 0), claimed('w1', day - 5, { process: 'q' }), answered)
      .cases([claim('w2', day), held], [claim('w2', day + 1, another), [claimed('w2', day + 1, another)]]));

  it('is held by no write that ends without a claim', () => {
    expect(theKey.given(answered).state().holder).to.equal(null);
    expect(theKey.given(released(true)).state().holder).to.equal(null);
  });

  it('that a run of name inference claimed by an event of its own is refused to every request', () => {
    const data = { account_id: 'owner', run_id: 'r1', request_digest: 'of the run', at: at(0) };
    const event = decodeEvent('IdempotencyKeyClaimed.v1', data);
    if (E.isLeft(event) || event.right.type !== 'WriteClaimed') throw new Error('it is not read');
    theKey.given(event.right).cases([claim('w1', 1), reused]);
  });

  it('starts its lifetime with the claim of each write', () => {
    const { holder } = theKey.given(claimed('w1', 0), claimed('w2', 5), claimed('w2', 9)).state();
    expect(holder?.since).to.equal(at(5));
  });
});
