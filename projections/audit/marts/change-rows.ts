import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { type RecordedEvent, streamCategory, streamId } from '../../../domain/kernel/recorded-event.js';
import { typeName } from '../../event-selection.js';
import type { FaceAttributes } from '../../../domain/video/changes.js';
import type { Rows } from '../../tables.js';
import { causeOf, type ExplainedSubject, runOf } from '../explain.js';
import type { MartRow, marts } from './catalogue.js';
import { add, type Credits, creditsOf, creditsText, negate, zeroCredits } from '../../../domain/kernel/credits.js';
import type { LedgerEntry } from '../../credit-views.js';

type MatchRow = MartRow<typeof marts.matches>;
type NameRow = MartRow<typeof marts.names>;
type Recorded = RecordedEvent<DomainEvent>;

const origin = ({ position, event, metadata }: Recorded, subject: ExplainedSubject) => ({
  position,
  recorded_at: metadata.recorded_at,
  event_type: typeName(event.type),
  cause: causeOf(event, subject),
  account_id: metadata.actor.account_id,
  key_id: metadata.actor.key_id,
  request_id: metadata.correlation_id,
  run_id: runOf(event),
});

/** Faces or speakers by their ids. */
type Subjects = ReadonlyMap<number, Partial<FaceAttributes>>;

const facesIn = (rows: Rows, video_id: string): Subjects =>
  new Map(rows.videos.get(video_id)?.record.faces.map((face) => [face.id, face]));

const speakersIn = (rows: Rows, audio_id: string): Subjects =>
  new Map(rows.audios.get(audio_id)?.record.speakers.map(({ speaker_id, name }) => [speaker_id, { name }]));

/** Changes of links and names by one event. */
const changesOf = (before: Subjects, after: Subjects, record: 'face' | 'speaker', recorded: Recorded) => {
  const medium_id = streamId(recorded.stream);
  const matches: Array<MatchRow> = [];
  const names: Array<NameRow> = [];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, young] = [before.get(id), after.get(id)];
    const subject = { record, id, speaker_id: young?.speaker_id ?? null };
    const link = {
      speaker_id_before: old?.speaker_id ?? null,
      speaker_id_after: young?.speaker_id ?? null,
      accuracy_before: old?.accuracy ?? null,
      accuracy_after: young?.accuracy ?? null,
    };
    if (link.speaker_id_before !== link.speaker_id_after)
      matches.push({ ...origin(recorded, subject), video_id: medium_id, face_id: id, ...link });
    const name = { name_before: old?.name ?? null, name_after: young?.name ?? null };
    if (name.name_before !== name.name_after)
      names.push({ ...origin(recorded, subject), record, medium_id, subject_id: id, ...name });
  }
  return { matches, names };
};

/** The changes of an event. `project` must apply it to the rows. */
export const changeRows = (rows: Rows, recorded: Recorded, project: () => void) => {
  const id = streamId(recorded.stream);
  const isVideo = recorded.stream.startsWith('video-');
  if (!isVideo && !recorded.stream.startsWith('audio-')) {
    project();
    return { matches: [], names: [] };
  }
  const subjects = isVideo ? facesIn : speakersIn;
  const before = subjects(rows, id);
  project();
  return changesOf(before, subjects(rows, id), isVideo ? 'face' : 'speaker', recorded);
};

/** Columns without a value are absent. */
type InferenceRow = Partial<MartRow<typeof marts.inferences>>;
type ResultRow = Partial<MartRow<typeof marts.inference_rows>>;

/** What the metadata of the first event tell, whether or not its data can be read. */
const unread = ({ stream, metadata }: Recorded): InferenceRow => ({
  run_id: streamId(stream),
  account_id: metadata.actor.account_id,
  key_id: metadata.actor.key_id,
  request_id: metadata.correlation_id,
  recorded_at: metadata.recorded_at,
});

const withEvent = (row: InferenceRow, event: DomainEvent): InferenceRow => {
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

const resultsOf = (event: DomainEvent): ReadonlyArray<ResultRow> => {
  if (event.type !== 'NameInferenceAnswered') return [];
  const { run_id, audio_id, results } = event.data;
  return results.map(({ quote_location, ...result }) => ({
    ...result,
    run_id,
    audio_id,
    quote_start: quote_location?.start ?? null,
  }));
};

const chargesIn = (ledger: ReadonlyArray<LedgerEntry>): ReadonlyMap<string, Credits> => {
  const charges = new Map<string, Credits>();
  for (const { run_id, amount } of ledger)
    if (run_id !== null) charges.set(run_id, add(charges.get(run_id) ?? zeroCredits, negate(creditsOf(amount))));
  return charges;
};

/** Collects the name inferences of a log, event by event. */
export const collectInferences = () => {
  const started = new Map<string, InferenceRow>();
  const results: Array<ResultRow> = [];
  return {
    take: (recorded: Recorded): void => {
      if (streamCategory(recorded.stream) !== 'nameInference') return;
      const row = started.get(recorded.stream) ?? unread(recorded);
      started.set(recorded.stream, withEvent(row, recorded.event));
      results.push(...resultsOf(recorded.event));
    },
    /** The inferences; what each was charged is told by the ledger. */
    rows: function* (ledger: ReadonlyArray<LedgerEntry>): Iterable<InferenceRow> {
      const charges = chargesIn(ledger);
      for (const [stream, row] of started) {
        const charged = charges.get(streamId(stream));
        yield { ...row, amount: charged === undefined ? null : Number(creditsText(charged)) };
      }
    },
    results: (): Iterable<ResultRow> => results,
  };
};
