import { expect } from 'chai';
import * as fc from 'fast-check';
import type { NameInferenceCommand, NameInferenceEvent } from '../../../domain/name-inference/contract.js';
import { nameInference } from '../../../domain/name-inference/decider.js';
import { type Credits, creditsText as kernelText } from '../../../domain/kernel/credits.js';
import { credits, creditsText, accountId, at, audioId, runId, speakerId, videoId } from '../../support/values.js';
import { specification } from '../../support/specification.js';

/** A run is requested, answered and ended once: every repetition is refused. */
const theRun = specification(nameInference, () => null);

const amounts = fc.integer({ min: 0, max: 2_000_000_000 }).map((millionths) => credits((millionths / 1e6).toFixed(6)));

const inquiry = {
  run_id: runId('r'),
  audio_id: audioId('a'),
  video_id: videoId('v'),
  account_id: accountId('owner'),
  mode: 'suggest' as const,
  target_speaker_ids: [speakerId(1)],
  infer_roles: false,
  model: 'played',
  at: at(0),
};
const results = [{ speaker_id: speakerId(1), video_id: videoId('v'), reason: 'no_proposal' as const }];
const answer = { results, total_tokens: 120, amount: creditsText('1.012'), by: 'key', at: at(3) };

const ask: NameInferenceCommand = { type: 'RequestNameInference', ...inquiry };
const { amount: _amount, ...rows } = answer;
const answeredAt = (cost: Credits, held: Credits): NameInferenceCommand => ({
  type: 'RecordNameAnswer',
  ...rows,
  cost,
  held,
});
const recordAnswer = answeredAt(credits('1.012'), credits('1.2'));
const recordFailure: NameInferenceCommand = { type: 'RecordNameFailure', reason: 'no answer', at: at(3) };
const giveUp: NameInferenceCommand = { type: 'AbandonInference', at: at(70) };

const requested: NameInferenceEvent = { type: 'NameInferenceRequested', data: inquiry };
const answered: NameInferenceEvent = { type: 'NameInferenceAnswered', data: { ...inquiry, ...answer } };
const failed: NameInferenceEvent = { type: 'NameInferenceFailed', data: { reason: 'no answer', at: at(3) } };
const abandonedReason: NameInferenceEvent = { type: 'NameInferenceFailed', data: { reason: 'given up', at: at(70) } };

describe('a run of speaker-name inference', () => {
  it('is requested once', () => {
    theRun.given().cases([ask, [requested]]);
    theRun.given(requested).cases([ask, { _tag: 'InferenceExists' }]);
  });

  it('is answered with its rows and price, based on the request', () =>
    theRun.given(requested).cases([recordAnswer, [answered]]));

  it('is never charged more than was held for it, whatever the model reports', () =>
    fc.assert(
      fc.property(amounts, amounts, (cost, held) => {
        const amount = kernelText(cost < held ? cost : held);
        theRun
          .given(requested)
          .cases([
            answeredAt(cost, held),
            [{ type: 'NameInferenceAnswered', data: { ...inquiry, ...answer, amount } }],
          ]);
      }),
    ));

  it('fails without a price', () => theRun.given(requested).cases([recordFailure, [failed]]));

  it('can neither be answered nor fail before it is requested', () => {
    theRun.given().cases([recordAnswer, { _tag: 'UnknownInference' }], [recordFailure, { _tag: 'UnknownInference' }]);
  });

  for (const [how, end] of Object.entries({ answered, failed, 'given up': abandonedReason }))
    it(`ends once: ${how}, it is not answered, failed or given up`, () => {
      for (const late of [recordAnswer, recordFailure, giveUp])
        theRun.given(requested, end).cases([late, { _tag: 'InferenceEnded' }]);
    });

  it('is abandoned while it waits for its answer', () => theRun.given(requested).cases([giveUp, [abandonedReason]]));

  it('is abandoned before its first event, and can no longer begin', () => {
    theRun.given().cases([giveUp, [abandonedReason]]);
    theRun.given(abandonedReason).cases([ask, { _tag: 'InferenceExists' }], [recordAnswer, { _tag: 'InferenceEnded' }]);
  });

  it('knows its answer and its price once it is answered', () =>
    expect(theRun.given(requested, answered).state()).to.deep.equal({
      _tag: 'Answered',
      inquiry: answered.data,
      results,
      amount: answer.amount,
    }));

  it('concerns its audio, and nobody if it was abandoned before', () => {
    const about = (command: NameInferenceCommand, ...given: ReadonlyArray<NameInferenceEvent>) =>
      nameInference.about?.(theRun.given(...given).state(), requested, command);
    expect(about(ask)).to.deep.equal(['audio-a']);
    expect(about(recordAnswer, requested)).to.deep.equal(['audio-a']);
    expect(about(giveUp)).to.deep.equal([]);
  });
});
