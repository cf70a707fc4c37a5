import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { narrowRefusal, orThrow, unlessRefused } from '../../application/failures.js';
import type { Tagged } from '../../domain/kernel/decider.js';

const failures = ['StoreUnavailable', 'AppendTooLarge', 'AppendUnreadable', 'UnreadableEvent', 'Contention'];
const isUnknownFace = (refusal: { readonly _tag: string }): refusal is Tagged<'UnknownFace'> =>
  refusal._tag === 'UnknownFace';

describe('a technical failure', () => {
  it('is passed on, as are the refusals that a contract declares; any other is a bug', async () => {
    for (const _tag of failures) expect(await unlessRefused(TE.left({ _tag }))()).to.deep.equal(E.left({ _tag }));
    const narrowed = (_tag: string) => narrowRefusal(isUnknownFace)(TE.left({ _tag }))();
    for (const _tag of [...failures, 'RevisionChanged', 'MediumErased', 'UnknownFace'])
      expect(await narrowed(_tag)).to.deep.equal(E.left({ _tag }));
    const thrown = await narrowed('UnknownSpeaker').catch(String);
    expect(thrown).to.include('refused with UnknownSpeaker, which its contract does not declare');
  });

  it('ends long work with its reason, or else its tag', () => {
    expect(() => orThrow(E.left({ _tag: 'StoreUnavailable', reason: 'it is away' }))).to.throw(/^it is away$/);
    expect(() => orThrow(E.left({ _tag: 'Contention', reason: null }))).to.throw(/^Contention$/);
  });
});
