import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, streamCategory, streamId } from '../../domain/kernel/recorded-event.js';
import { memoryRows, type Rows } from '../tables.js';
import { videoViewIn } from '../shown-records.js';
import { projections } from '../projections.js';
import { continuedBy, type Renumbering } from '../../domain/kernel/renumbering.js';
import { audios } from '../audios.js';
import { videos } from '../videos.js';

/** A difference between two values. `before` or `after` is undefined if missing. */
export interface Difference {
  /** Such as `faces[2].name`; empty for the value itself. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Recorded = RecordedEvent<DomainEvent>;
type Facts = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Facts | null =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;

const under = (path: string, key: string, isList: boolean): string => {
  if (isList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** The differences of two JSON values, as deep as their structure is equal. */
export const differences = (before: unknown, after: unknown, path = ''): ReadonlyArray<Difference> => {
  if (Object.is(before, after)) return [];
  const [old, young] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || young === null || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  return [...new Set([...Object.keys(old), ...Object.keys(young)])].flatMap((key) =>
    differences(old[key], young[key], under(path, key, Array.isArray(after))),
  );
};

const without = (fields: unknown, name: string): Facts =>
  Object.fromEntries(Object.entries(fieldsOf(fields) ?? {}).filter(([key]) => key !== name));

/** What the events of a credit account leave: the rows keep its entries alone. */
const creditsAfter = (before: Facts, event: DomainEvent): Facts => {
  const { balance = '0', window = null, holds = {} } = before;
  switch (event.type) {
    case 'CreditsGranted':
    case 'CreditsCorrected':
      return { balance: event.data.balance_after, window, holds };
    case 'CreditsCharged':
      return { balance: event.data.balance_after, window, holds: without(holds, event.data.charge_id) };
    case 'CreditsHeld': {
      const { hold_id, amount, lapses_at } = event.data;
      return { balance, window, holds: { ...fieldsOf(holds), [hold_id]: { amount, lapses_at } } };
    }
    case 'HoldReleased':
      return { balance, window, holds: without(holds, event.data.hold_id) };
    case 'SpendingWindowSet': {
      const { limit, period_seconds } = event.data;
      return { balance, window: { limit, period_seconds }, holds };
    }
    case 'SpendingWindowCleared':
      return { balance, window: null, holds };
    default:
      return before;
  }
};

/** The latest value of each field of the events of a stream without a record. */
const factsAfter = (before: Facts, { event, stream }: Recorded): Facts => {
  if (event.type === 'Withheld') return before;
  if (streamCategory(stream) === 'creditAccount') return creditsAfter(before, event);
  const fields = Object.entries(event.data).filter(([name]) => name !== 'at');
  // So that each row of the results is a difference of its own.
  const none = streamCategory(stream) === 'nameInference' ? { results: [] } : {};
  return { ...none, ...before, ...Object.fromEntries(fields) };
};

/** The record of a stream, by its category. */
const recordIn: Readonly<Record<string, (rows: ReturnType<typeof memoryRows>, id: string) => unknown>> = {
  video: (rows, id) => videoViewIn(rows, id)?.record,
  audio: (rows, id) => rows.audios.get(id)?.record,
  matchRun: (rows, id) => rows.matchRuns.get(id)?.view,
  account: (rows, id) => {
    const keys = rows.apiKeys.where('account_id', id).map(({ key_hash: _hash, ...key }) => key);
    const account = rows.accounts.get(id);
    return account && { ...account, keys };
  },
};

/**
 * The events of one stream from the first, each with the state after it and the changes. The state is the record of the
 * stream; without one, what its events have told so far.
 */
export const statesOf = (events: ReadonlyArray<Recorded>) => {
  const rows = memoryRows();
  let before: unknown = null;
  let facts: Facts = {};
  return events.map((recorded) => {
    projections.forEach((projection) => projection.project(rows, recorded));
    facts = factsAfter(facts, recorded);
    const record = recordIn[streamCategory(recorded.stream)];
    const state = record === undefined ? facts : (record(rows, streamId(recorded.stream)) ?? null);
    const changed = differences(before, state);
    before = state;
    return { recorded, state, changed };
  });
};

type Revert = Extract<DomainEvent, { type: 'VideoChangeReverted' | 'AudioChangeReverted' }>['data'];

const revertOf = ({ position, cause }: Revert): string =>
  `the change at position ${position} was undone${cause.kind === 'request' ? '' : `, together with the ${cause.kind}`}`;

/** A face or speaker that an event changed. `speaker_id`: that of a face after the event. */
export interface ExplainedSubject {
  readonly record: 'face' | 'speaker';
  readonly id: number;
  readonly speaker_id: number | null;
}

/** `speaker 1 is speaker 0 of the analysis before (38 s in common)`; null if the number means what it meant. */
const continuationOf = (
  record: ExplainedSubject['record'],
  { renumbered, discontinued }: Renumbering,
  id: number | null,
): string | null => {
  const found = renumbered.find(({ to }) => to === id);
  if (found !== undefined) {
    const shared = found.seconds === 0 ? '' : ` (${Math.round(found.seconds * 10) / 10} s in common)`;
    return `${record} ${found.to} is ${record} ${found.from} of the analysis before${shared}`;
  }
  const isOthers = renumbered.some(({ from }) => from === id) || discontinued.some((gone) => gone === id);
  return isOthers ? `nobody has the number ${id} of the analysis before any more` : null;
};

const because = (what: string, reason: string | null): string => (reason === null ? what : `${what}: ${reason}`);

const analysisOf = (renumbering: Renumbering, subject: ExplainedSubject | null): string =>
  because('an analysis was written back', subject && continuationOf(subject.record, renumbering, subject.id));

const renumberingOf = (renumbering: Renumbering, subject: ExplainedSubject | null): string =>
  because(
    'a newer analysis of the audio numbers the speakers differently',
    subject?.speaker_id === null
      ? 'its speaker is not in it'
      : subject && continuationOf('speaker', renumbering, subject.speaker_id),
  );

/** What events of a type did, where nothing else is to be said. */
const causes: { readonly [Type in DomainEvent['type']]?: string } = {
  FacesMatched: 'a person matched faces to speakers by hand',
  MatchRunFailed: 'a match run failed, and what was assumed of it was taken back',
  MatchRunReverted: 'a match run was undone',
  LinksDecided: 'a person decided whose face it is, or is not',
  FaceUnmatched: 'a person took the match away',
  PersonalityTraitsRecorded: 'personality data was recorded',
  NamesInferred: 'a name inference was committed',
  SpeakerRolesSet: 'a person set the role',
  SpeakerDeleted: 'the speaker was deleted',
  MediumErased: 'it was erased',
};

/** Describes what an event did, to a face or speaker if one is given. */
export const causeOf = (event: DomainEvent, subject: ExplainedSubject | null = null): string => {
  switch (event.type) {
    case 'VideoAnalysisRecorded':
    case 'AudioAnalysisRecorded':
      return analysisOf(event.data, subject);
    case 'SpeakersRenumbered':
      return renumberingOf(event.data, subject);
    case 'FacesRenamed':
      return event.data.cause.kind === 'request'
        ? 'a person renamed the face'
        : `the matched speaker was renamed (${event.data.cause.audio_id}, revision ${event.data.cause.audio_revision})`;
    case 'MatchesCommitted':
      return event.data.late_write_suspected
        ? `a write-back was committed; it may be that of a stale run (${event.data.attribution})`
        : `a match run was committed (${event.data.attribution})`;
    case 'VideoChangeReverted':
    case 'AudioChangeReverted':
      return revertOf(event.data);
    case 'SpeakerWithdrawn':
      return event.data.merged_into === null
        ? 'its speaker is gone: deleted, or not in a later analysis'
        : `its speaker was merged into speaker ${event.data.merged_into}`;
    case 'SpeakersRenamed':
      return event.data.cause.kind === 'request'
        ? 'a person renamed the speaker'
        : `a face match named the speaker (${event.data.cause.video_id}, revision ${event.data.cause.video_revision})`;
    case 'SpeakersMerged':
      return `speaker ${event.data.from} was merged into speaker ${event.data.into}`;
    default:
      return causes[event.type] ?? event.type;
  }
};

/** The run that an event belongs to; null if none. */
export const runOf = ({ data }: DomainEvent): string | null =>
  'run_id' in data && typeof data.run_id === 'string' ? data.run_id : null;

const matchEvidence = ({ event }: Recorded, face_id: number, earlier: ReadonlyArray<Recorded>): unknown => {
  if (event.type === 'MatchesCommitted')
    return {
      matches: event.data.matches.filter((match) => match.face_id === face_id),
      candidate_run_ids: event.data.candidate_run_ids,
    };
  if (event.type !== 'FacesMatched') return null;
  const stored = earlier.flatMap((one) => (one.event.type === 'SuggestionsStored' ? [one.event.data.block] : []));
  const mapping = stored.at(-1)?.mappings.find((one) => one.face_id === face_id);
  const speaker_id = event.data.changes.find((change) => change.face_id === face_id)?.after.speaker_id;
  return mapping !== undefined && mapping.speaker_id === speaker_id ? { suggestion: mapping } : null;
};

const nameEvidence = ({ event }: Recorded, speaker_id: number): unknown =>
  event.type === 'NamesInferred' ? (event.data.results.find((row) => row.speaker_id === speaker_id) ?? null) : null;

/** Describes what a revert undid, if that is in the same history, and what it left unchanged. */
const undoneBy = (events: ReadonlyArray<Recorded>, { event }: Recorded): unknown => {
  if (event.type !== 'VideoChangeReverted' && event.type !== 'AudioChangeReverted') return null;
  const { change_id, changed_since } = event.data;
  const first = events.find(({ event_id }) => event_id === change_id);
  const took_back = first === undefined ? null : `${causeOf(first.event)} (revision ${first.revision})`;
  return changed_since.length === 0 ? { took_back } : { took_back, changed_since };
};

/**
 * The numbers that a face or speaker had before each event, and `last` after all: analyses, of faces in the stream of a
 * video, of speakers in that of an audio, may have given it others. Null before it was found.
 */
const idsOver = (events: ReadonlyArray<Recorded>, last: number): ReadonlyArray<number | null> => {
  const ids: Array<number | null> = [last];
  for (const { event } of events.toReversed()) {
    const id = ids.at(-1) ?? null;
    const analysis: Renumbering | null =
      event.type === 'VideoAnalysisRecorded' || event.type === 'AudioAnalysisRecorded' ? event.data : null;
    ids.push(id !== null && analysis !== null ? (continuedBy(analysis, { has: () => true })(id) ?? null) : id);
  }
  return ids.toReversed();
};

/** What is explained: who projects it, how it is found, and what the evidence of a change is. */
const explained = {
  face: {
    projection: videos,
    subjectIn: (rows: Rows, video_id: string, id: number): Pick<ExplainedSubject, 'speaker_id'> | undefined =>
      rows.videos.get(video_id)?.record.faces.find((one) => one.id === id),
    evidenceOf: matchEvidence,
  },
  speaker: {
    projection: audios,
    subjectIn: (rows: Rows, audio_id: string, id: number): Pick<ExplainedSubject, 'speaker_id'> | undefined =>
      rows.audios.get(audio_id)?.record.speakers.find((one) => one.speaker_id === id),
    evidenceOf: nameEvidence,
  },
};

/**
 * Explains the name, match and role of a face or a speaker, event by event. `events`: all events of its video or audio from
 * the first.
 */
export const explain = (events: ReadonlyArray<Recorded>, record: ExplainedSubject['record'], last: number) => {
  const { projection, subjectIn, evidenceOf } = explained[record];
  const rows = memoryRows();
  const ids = idsOver(events, last);
  return events.flatMap((recorded, index) => {
    const [idBefore, idAfter] = [ids[index] ?? null, ids[index + 1] ?? null];
    const find = (id: number | null) => (id === null ? undefined : subjectIn(rows, streamId(recorded.stream), id));
    const before = find(idBefore);
    projection.project(rows, recorded);
    const after = find(idAfter);
    const changed = differences(before, after);
    if (changed.length === 0 || idAfter === null) return [];
    const { event } = recorded;
    return [
      {
        recorded,
        cause: causeOf(event, { record, id: idAfter, speaker_id: after?.speaker_id ?? null }),
        run_id: runOf(event),
        changed,
        /** A quote, overlaps, an analysis; null for decisions of people. */
        evidence: undoneBy(events, recorded) ?? evidenceOf(recorded, idAfter, events.slice(0, index)),
      },
    ];
  });
};

/** How one event changed a face or a speaker. */
export type Explanation = ReturnType<typeof explain>[number];

/** The last change of a field and its resulting value; null if it never had a value. */
export const lastChange = (explained: ReadonlyArray<Explanation>, field: string) => {
  for (const explanation of explained.toReversed())
    for (const { path, after } of explanation.changed) {
      const whole = path === '' ? fieldsOf(after) : null;
      if (path === field || whole !== null) return { explanation, value: (whole ? whole[field] : after) ?? null };
    }
  return null;
};
