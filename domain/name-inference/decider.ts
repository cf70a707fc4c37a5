import type { Either } from 'fp-ts/lib/Either.js';
import type { ResultRow } from '../grounding/result-row.js';
import { creditsText } from '../kernel/credits.js';
import { dataOf, type Decider, record, refuse } from '../kernel/decider.js';
import { type Subject, audioSubject } from '../kernel/recorded-event.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type {
  NameInferenceCommand,
  NameInferenceEvent,
  NameInferenceRefusal,
  RecordNameAnswer,
  RequestNameInference,
} from './contract.js';

type Inquiry = Omit<RequestNameInference, 'type'>;

export type NameInferenceState =
  | { readonly _tag: 'Unrequested' }
  | { readonly _tag: 'Requested'; readonly inquiry: Inquiry }
  | {
      readonly _tag: 'Answered';
      readonly inquiry: Inquiry;
      readonly results: ReadonlyArray<ResultRow>;
    }
  | { readonly _tag: 'Failed' };

/** The failure reason of an abandoned run. */
const abandonedReason = 'given up';

type Decision = Either<NameInferenceRefusal, ReadonlyArray<NameInferenceEvent>>;

const evolve = (_state: NameInferenceState, event: NameInferenceEvent): NameInferenceState => {
  switch (event.type) {
    case 'NameInferenceRequested':
      return { _tag: 'Requested', inquiry: event.data };
    case 'NameInferenceAnswered':
      return { _tag: 'Answered', inquiry: event.data, results: event.data.results };
    case 'NameInferenceFailed':
      return { _tag: 'Failed' };
  }
};

/** A run is never charged more than it held, whatever the model reports. */
const answered = (inquiry: Inquiry, { results, total_tokens, cost, held, by, at }: RecordNameAnswer): Decision => {
  const { at: _asked, ...asked } = inquiry;
  return record<NameInferenceEvent>({
    type: 'NameInferenceAnswered',
    data: { ...asked, results, total_tokens, amount: creditsText(cost < held ? cost : held), by, at },
  });
};

const failed = (reason: string, at: Timestamp): Decision =>
  record<NameInferenceEvent>({ type: 'NameInferenceFailed', data: { reason, at } });

/** The audio whose speakers are to be named. */
const aboutAudio = (state: NameInferenceState, event: NameInferenceEvent): ReadonlyArray<Subject> => {
  if (event.type === 'NameInferenceRequested') return [audioSubject(event.data.audio_id)];
  return 'inquiry' in state ? [audioSubject(state.inquiry.audio_id)] : [];
};

const request = (state: NameInferenceState, command: RequestNameInference): Decision =>
  state._tag === 'Unrequested'
    ? record<NameInferenceEvent>({ type: 'NameInferenceRequested', data: dataOf(command) })
    : refuse({ _tag: 'InferenceExists' });

/**
 * One billed run of speaker-name inference (specification, section 4.2): requested, then answered or failed, once. A
 * run abandoned before its request can no longer be requested, so its idempotency key can pass to another run.
 */
export const nameInference: Decider<
  NameInferenceCommand,
  NameInferenceState,
  NameInferenceEvent,
  NameInferenceRefusal
> = {
  category: 'nameInference',
  initial: { _tag: 'Unrequested' },
  evolve,
  about: aboutAudio,
  decide: (command, state) => {
    if (command.type === 'RequestNameInference') return request(state, command);
    if (state._tag === 'Answered' || state._tag === 'Failed') return refuse({ _tag: 'InferenceEnded' });
    if (command.type === 'AbandonInference') return failed(abandonedReason, command.at);
    if (state._tag === 'Unrequested') return refuse({ _tag: 'UnknownInference' });
    return command.type === 'RecordNameAnswer' ? answered(state.inquiry, command) : failed(command.reason, command.at);
  },
};
