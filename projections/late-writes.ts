import type { DomainEvent } from '../domain/event-catalogue.js';
import { RunId, VideoId } from '../domain/kernel/ids.js';
import { type RecordedEvent, streamId } from '../domain/kernel/recorded-event.js';
import type { MatchRunEvent } from '../domain/match-run/contract.js';
import type { VideoEvent } from '../domain/video/events.js';
import { mergeChanges } from '../domain/video/changes.js';
import { originOf } from '../domain/video/write-back.js';
import type { Projection, Rows } from './tables.js';
import type { LateWriteView } from './views.js';

type WriteBack = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;
type Ignored = Extract<MatchRunEvent, { type: 'LateWriteBackArrived' }>;
type Recorded = RecordedEvent<DomainEvent>;

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

const ignored = (rows: Rows, { data }: Ignored, run_id: RunId, recorded: Recorded): LateWriteView => ({
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

const project = (rows: Rows, recorded: Recorded): void => {
  const { event } = recorded;
  switch (event.type) {
    case 'SuggestionsStored':
    case 'MatchesCommitted':
    case 'MatchRunFailed':
      if (isLateOrAmbiguous(event)) rows.lateWrites.put(written(event, recorded));
      return;
    case 'VideoChangeReverted':
    case 'MatchRunReverted': {
      const { run_id, at } = event.data;
      if (run_id === null) return;
      rows.lateWrites
        .where('effective_run_id', run_id)
        .forEach((row) => rows.lateWrites.put({ ...row, reverted_at: at }));
      return;
    }
    case 'LateWriteBackArrived': {
      const run_id = streamId(recorded.stream);
      if (RunId.is(run_id)) rows.lateWrites.put(ignored(rows, event, run_id, recorded));
      return;
    }
    case 'MediumErased':
    case 'AudioErased':
      if (!recorded.stream.startsWith('video-')) return;
      // Changes by a late write-back contain data of both records.
      rows.lateWrites
        .where('video_id', streamId(recorded.stream))
        .forEach(({ position }) => rows.lateWrites.delete(position));
      return;
    default:
  }
};

/** Write-backs that arrived late or may have come from another run than they were attributed to, for the audit. */
export const lateWrites: Projection = {
  name: 'late-writes',
  version: 3,
  categories: ['video', 'matchRun'],
  tables: ['lateWrites'],
  project,
};
