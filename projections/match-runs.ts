import type { DataOf, DomainEvent } from '../domain/event-catalogue.js';
import { RunId, VideoId } from '../domain/kernel/ids.js';
import { type Position, type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import { type MatchRunEvent, matchRunEvents } from '../domain/match-run/contract.js';
import { type FaceEdit, mergeChanges } from '../domain/video/changes.js';
import type { VideoEvent } from '../domain/video/events.js';
import { originOf } from '../domain/video/write-back.js';
import type { LateArrivalRow, MatchRunRow, Projection, Rows } from './tables.js';
import type { LateWriteView, MatchRunView } from './views.js';

type WriteBack = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;
type Recorded = RecordedEvent<DomainEvent>;
type Late = Extract<MatchRunEvent, { type: 'LateWriteBackArrived' }>;
type RunEvent = Exclude<MatchRunEvent, Late>;
type Answer = Extract<RunEvent, { type: 'MatchRunSuggested' | 'MatchRunCommitted' | 'MatchRunFailureNoted' }>;
type Faces = MatchRunRow['faces'];

const unknownRun = (run_id: RunId): MatchRunRow => ({
  view: {
    run_id,
    video_id: null,
    audio_id: null,
    mode: null,
    target_speaker_ids: null,
    video_revision: null,
    queued_at: null,
    outcome: null,
    ended_at: null,
    attribution: null,
    candidate_run_ids: [],
    late_write_suspected: false,
    late: false,
    error: null,
    superseded_by: null,
    superseded_at: null,
    changed_faces: [],
    reverted_at: null,
    late_arrivals: [],
  },
  started: null,
  answered: null,
  undone: null,
  faces: [],
});

const isNewer = (video_revision: number, known: number | null): boolean => known === null || video_revision > known;

/** Updates whether the run's change of each face is in force; the newest event wins. */
const withFaces = (faces: Faces, changes: ReadonlyArray<FaceEdit>, changed: boolean, video_revision: number): Faces => {
  if (changes.length === 0) return faces;
  const known = new Map(faces.map((face) => [face.face_id, face]));
  for (const { face_id } of changes) {
    const face = known.get(face_id);
    if (face === undefined || video_revision >= face.video_revision)
      known.set(face_id, { face_id, video_revision, changed });
  }
  return [...known.values()];
};

const withView = (row: MatchRunRow, view: Partial<MatchRunView>, faces: Faces = row.faces): MatchRunRow => ({
  ...row,
  view: {
    ...row.view,
    ...view,
    changed_faces: faces.filter(({ changed }) => changed).map(({ face_id }) => face_id),
  },
  faces,
});

const facesAfter = (faces: Faces, event: Answer): Faces => {
  if (event.type === 'MatchRunSuggested') return faces;
  const { replaced, video_revision } = event.data;
  const restored = withFaces(faces, replaced, false, video_revision);
  return event.type === 'MatchRunCommitted' ? withFaces(restored, event.data.changes, true, video_revision) : restored;
};

const answered = (row: MatchRunRow, event: Answer): MatchRunRow => {
  const { video_revision, at } = event.data;
  const faces = facesAfter(row.faces, event);
  if (!isNewer(video_revision, row.answered)) return withView(row, {}, faces);
  const failed = event.type === 'MatchRunFailureNoted';
  const view: Partial<MatchRunView> = {
    outcome: failed ? 'failed' : 'completed',
    ended_at: at,
    ...originOf(event.data),
    error: failed ? event.data.error : null,
  };
  return { ...withView(row, view, faces), answered: video_revision };
};

const applyEvent = (row: MatchRunRow, event: RunEvent): MatchRunRow => {
  switch (event.type) {
    case 'MatchRunStarted': {
      const { video_revision, video_id, audio_id, mode, target_speaker_ids, at } = event.data;
      const view = { video_id, audio_id, mode, target_speaker_ids, video_revision, queued_at: at };
      return { ...withView(row, view), started: video_revision };
    }
    case 'MatchRunSuggested':
    case 'MatchRunCommitted':
    case 'MatchRunFailureNoted':
      return answered(row, event);
    case 'MatchRunSuperseded':
      return withView(row, { superseded_by: event.data.by, superseded_at: event.data.at });
    case 'MatchRunUndone': {
      const { video_revision, changes, at } = event.data;
      const faces = withFaces(row.faces, changes, false, video_revision);
      return isNewer(video_revision, row.undone)
        ? { ...withView(row, { reverted_at: at }, faces), undone: video_revision }
        : withView(row, {}, faces);
    }
  }
};

const lateArrival = ({ data }: Late, run_id: RunId, position: Position): LateArrivalRow => {
  const { at, reason, status, matches, error } = data;
  return { position, run_id, arrival: { at, reason, status, matches, error } };
};

const deleteArrivals = (rows: Rows, run_id: RunId): void =>
  rows.lateArrivals.where('run_id', run_id).forEach(({ position }) => rows.lateArrivals.delete(position));

const runsOf = (rows: Rows, video_id: string): ReadonlyArray<MatchRunRow> => rows.matchRuns.where('video_id', video_id);

/** Changes by a late write-back contain data of both records. */
const deleteLateWrites = (rows: Rows, video_id: string): void =>
  rows.lateWrites.where('video_id', video_id).forEach(({ position }) => rows.lateWrites.delete(position));

const erase = (rows: Rows, video_id: string): void => {
  deleteLateWrites(rows, video_id);
  runsOf(rows, video_id).forEach(({ view: { run_id } }) => {
    rows.matchRuns.delete(run_id);
    deleteArrivals(rows, run_id);
  });
};

/** Ends the open runs of an erased audio, and removes errors and late arrivals from all its runs. */
const withoutAudio = (rows: Rows, video_id: string, { audio_id, at }: DataOf<'AudioErased'>): void => {
  deleteLateWrites(rows, video_id);
  runsOf(rows, video_id)
    .filter(({ view }) => view.audio_id === audio_id)
    .forEach((row) => {
      const isOpen = row.view.outcome === null && row.view.superseded_by === null;
      const ended: Partial<MatchRunView> = isOpen ? { outcome: 'erased', ended_at: at } : {};
      rows.matchRuns.put(withView(row, { ...ended, error: null }));
      deleteArrivals(rows, row.view.run_id);
    });
};

const isLateOrAmbiguous = ({ data }: WriteBack): boolean =>
  data.late ||
  data.late_write_suspected ||
  data.attribution === 'unattributed' ||
  (data.attribution === 'assumed' && data.candidate_run_ids.length > 1);

/** The effect of a write-back: status, received matches and changed faces. */
const effectOf = (event: WriteBack): Pick<LateWriteView, 'status' | 'matches' | 'changes'> => {
  switch (event.type) {
    case 'SuggestionsStored': {
      const { mappings } = event.data.block;
      const matches = mappings.map(({ face_id, speaker_id, accuracy }) => ({ face_id, speaker_id, accuracy }));
      return { status: 'stored', matches, changes: [] };
    }
    case 'MatchesCommitted': {
      const { matches, replaced, changes } = event.data;
      return { status: 'committed', matches, changes: mergeChanges(replaced, changes) };
    }
    case 'MatchRunFailed':
      return { status: 'failed', matches: [], changes: event.data.replaced };
  }
};

const sender = ({ position, metadata }: Recorded) => ({
  position,
  actor: metadata.actor,
  request_id: metadata.correlation_id,
  reverted_at: null,
});

const written = (event: WriteBack, recorded: Recorded): LateWriteView => {
  const { run_id, at } = event.data;
  const video_id = streamId(recorded.stream);
  return {
    ...sender(recorded),
    ...effectOf(event),
    at,
    video_id: VideoId.is(video_id) ? video_id : null,
    run_id,
    reason: null,
    ...originOf(event.data),
  };
};

const ignored = (rows: Rows, { data }: Late, run_id: RunId, recorded: Recorded): LateWriteView => ({
  ...sender(recorded),
  at: data.at,
  video_id: rows.matchRuns.get(run_id)?.view.video_id ?? null,
  run_id,
  status: 'ignored',
  reason: data.reason,
  attribution: null,
  candidate_run_ids: [run_id],
  late_write_suspected: false,
  late: true,
  matches: data.matches,
  changes: [],
});

const isMatchRunEvent = isEventOf(matchRunEvents);

/**
 * One row per match run, whose events may arrive in any order; and for the audit, write-backs that arrived late or may have
 * come from another run than they were attributed to.
 */
export const matchRuns: Projection = {
  name: 'match-runs',
  version: 5,
  categories: ['matchRun', 'video'],
  tables: ['matchRuns', 'lateArrivals', 'lateWrites'],
  project: (rows, recorded) => {
    const { event, stream, revision, position } = recorded;
    const id = streamId(stream);
    switch (event.type) {
      case 'MediumErased':
        return event.data.medium === 'video' ? erase(rows, id) : undefined;
      case 'AudioErased':
        return withoutAudio(rows, id, event.data);
      case 'SuggestionsStored':
      case 'MatchesCommitted':
      case 'MatchRunFailed':
        return isLateOrAmbiguous(event) ? rows.lateWrites.put(written(event, recorded)) : undefined;
      case 'VideoChangeReverted':
      case 'MatchRunReverted': {
        const { run_id, at } = event.data;
        const undone = run_id === null ? [] : rows.lateWrites.where('effective_run_id', run_id);
        return undone.forEach((row) => rows.lateWrites.put({ ...row, reverted_at: at }));
      }
      default:
    }
    if (!isMatchRunEvent(event) || !RunId.is(id)) return;
    if (event.type === 'LateWriteBackArrived') {
      rows.lateArrivals.put(lateArrival(event, id, position));
      rows.lateWrites.put(ignored(rows, event, id, recorded));
    } else
      rows.matchRuns.put(applyEvent((revision === 0 ? undefined : rows.matchRuns.get(id)) ?? unknownRun(id), event));
  },
};
