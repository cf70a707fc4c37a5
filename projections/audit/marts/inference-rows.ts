import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { type Credits, add, creditsOf, creditsText, negate, zeroCredits } from '../../../domain/kernel/credits.js';
import { type RecordedEvent, streamCategory, streamId } from '../../../domain/kernel/recorded-event.js';
import type { LedgerEntry } from '../../credit-views.js';
import type { marts, MartRow } from './catalogue.js';

type InferenceRow = MartRow<typeof marts.inferences>;
type ResultRow = MartRow<typeof marts.inference_rows>;

/** Collects the name inferences of a log, event by event. */
export interface Inferences {
  readonly take: (recorded: RecordedEvent<DomainEvent>) => void;
  /** The inferences; what each was charged is told by the ledger. */
  readonly rows: (ledger: ReadonlyArray<LedgerEntry>) => Iterable<InferenceRow>;
  readonly results: () => Iterable<ResultRow>;
}

type Started = Omit<InferenceRow, 'amount'>;

/** What the metadata of the first event tell, whether or not its data can be read. */
const unread = ({ stream, metadata }: RecordedEvent<DomainEvent>): Started => ({
  run_id: streamId(stream),
  audio_id: null,
  account_id: metadata.actor.account_id,
  key_id: metadata.actor.key_id,
  request_id: metadata.correlation_id,
  mode: null,
  outcome: null,
  model: null,
  speakers: null,
  infer_roles: null,
  names: null,
  total_tokens: null,
  recorded_at: metadata.recorded_at,
  ended_at: null,
  error: null,
});

const withEvent = (row: Started, event: DomainEvent): Started => {
  switch (event.type) {
    case 'NameInferenceRequested':
    case 'NameInferenceAnswered': {
      const { audio_id, account_id, mode, model, target_speaker_ids, infer_roles } = event.data;
      const asked = { ...row, audio_id, account_id, mode, model, speakers: target_speaker_ids.length, infer_roles };
      if (event.type === 'NameInferenceRequested') return asked;
      const { results, total_tokens, at } = event.data;
      const names = results.filter(({ name }) => name !== undefined).length;
      return { ...asked, outcome: 'completed', names, total_tokens, ended_at: at };
    }
    case 'NameInferenceFailed':
      return { ...row, outcome: 'failed', ended_at: event.data.at, error: event.data.reason };
    case 'Withheld':
      return event.data.why === 'erased' ? { ...row, outcome: 'erased' } : row;
    default:
      return row;
  }
};

const resultsOf = (event: DomainEvent): ReadonlyArray<ResultRow> =>
  event.type !== 'NameInferenceAnswered'
    ? []
    : event.data.results.map((result) => ({
        run_id: event.data.run_id,
        audio_id: event.data.audio_id,
        speaker_id: result.speaker_id,
        name: result.name ?? null,
        quote: result.quote ?? null,
        quote_start: result.quote_location?.start ?? null,
        pattern: result.pattern ?? null,
        reason: result.reason ?? null,
        role: result.role ?? null,
        role_quote: result.role_quote ?? null,
        role_reason: result.role_reason ?? null,
      }));

const chargesIn = (ledger: ReadonlyArray<LedgerEntry>): ReadonlyMap<string, Credits> => {
  const charges = new Map<string, Credits>();
  for (const { run_id, amount } of ledger)
    if (run_id !== null) charges.set(run_id, add(charges.get(run_id) ?? zeroCredits, negate(creditsOf(amount))));
  return charges;
};

export const collectInferences = (): Inferences => {
  const started = new Map<string, Started>();
  const results: Array<ResultRow> = [];
  return {
    take: (recorded) => {
      if (streamCategory(recorded.stream) !== 'nameInference') return;
      const row = started.get(recorded.stream) ?? unread(recorded);
      started.set(recorded.stream, withEvent(row, recorded.event));
      results.push(...resultsOf(recorded.event));
    },
    rows: function* (ledger) {
      const charges = chargesIn(ledger);
      for (const [stream, row] of started) {
        const charged = charges.get(streamId(stream));
        yield { ...row, amount: charged === undefined ? null : Number(creditsText(charged)) };
      }
    },
    results: () => results,
  };
};
