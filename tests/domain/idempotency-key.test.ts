import { expect } from 'chai';
import type { ClaimIdempotencyKey, IdempotencyKeyEvent } from '../../domain/idempotency-key/contract.js';
import { holderAt, idempotencyKey } from '../../domain/idempotency-key/decider.js';
import { specification } from '../support/specification.js';
import { accountId, at, runId } from '../support/values.js';

/** A granted claim is held: its repetition is refused. */
const theKey = specification(idempotencyKey, () => null);

const day = 24 * 3_600;
const facts = (run: string, seconds: number, request_digest: string) => ({
  account_id: accountId('owner'),
  run_id: runId(run),
  request_digest,
  at: at(seconds),
});
const claim = (
  run: string,
  seconds: number,
  { digest = 'same', replaces_run = null }: { digest?: string; replaces_run?: string | null } = {},
): ClaimIdempotencyKey => ({
  type: 'ClaimIdempotencyKey',
  ...facts(run, seconds, digest),
  replaces_run: replaces_run === null ? null : runId(replaces_run),
});
const claimed = (run: string, seconds: number, digest = 'same'): IdempotencyKeyEvent => ({
  type: 'IdempotencyKeyClaimed',
  data: facts(run, seconds, digest),
});
const held = (run: string, seconds: number) => ({ _tag: 'KeyHeld' as const, run_id: runId(run), since: at(seconds) });

describe('an idempotency key', () => {
  it('is bound to the run that claims it first', () => theKey.given().when(claim('r1', 0)).then(claimed('r1', 0)));

  it('is refused to the same request, which learns the holder', () =>
    theKey.given(claimed('r1', 0)).when(claim('r2', 5)).thenRefused(held('r1', 0)));

  it('is refused to another request', () => {
    theKey
      .given(claimed('r1', 0))
      .when(claim('r2', 5, { digest: 'other' }))
      .thenRefused({ _tag: 'KeyReused' });
    const instead = claim('r2', 5, { digest: 'other', replaces_run: 'r1' });
    theKey.given(claimed('r1', 0)).when(instead).thenRefused({ _tag: 'KeyReused' });
  });

  it('passes from the named run to another', () =>
    theKey
      .given(claimed('r1', 0))
      .when(claim('r2', 70, { replaces_run: 'r1' }))
      .then(claimed('r2', 70)));

  it('passes on once: the second of two successors is refused and learns the first', () =>
    theKey
      .given(claimed('r1', 0), claimed('r2', 70))
      .when(claim('r3', 71, { replaces_run: 'r1' }))
      .thenRefused(held('r2', 70)));

  it('lasts 24 hours, and is free for any request after that', () => {
    theKey.given(claimed('r1', 0)).when(claim('r2', day)).thenRefused(held('r1', 0));
    theKey
      .given(claimed('r1', 0))
      .when(claim('r2', day + 1, { digest: 'other' }))
      .then(claimed('r2', day + 1, 'other'));
  });

  it('has a holder at a time', () => {
    const state = theKey.given(claimed('r1', 0), claimed('r2', 70)).state();
    expect(holderAt(state, at(70 + day))).to.include({ kind: 'run', run_id: 'r2' });
    expect(holderAt(state, at(70 + day + 1))).to.equal(null);
    expect(holderAt(idempotencyKey.initial, at(0))).to.equal(null);
  });
});
