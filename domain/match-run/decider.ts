import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { VideoId } from '../kernel/ids.js';
import { type FaceChange, mergeChanges } from '../video/face.js';
import type { FollowVideo, MatchRunCommand, MatchRunEvent, MatchRunRefusal, NoteLateWriteBack } from './contract.js';

export interface MatchRunState {
  readonly video_id: VideoId | null;
  readonly superseded: boolean;
  /** What the run's write-backs changed and its own answer did not take back; a revert looks at the faces themselves. */
  readonly changes: ReadonlyArray<FaceChange>;
  /** What was told already, by the video's revision and type: telling it again changes nothing. */
  readonly told: ReadonlySet<string>;
}

const initial: MatchRunState = { video_id: null, superseded: false, changes: [], told: new Set() };

const without = (changes: ReadonlyArray<FaceChange>, undone: ReadonlyArray<FaceChange>): ReadonlyArray<FaceChange> => {
  const gone = new Set(undone.map(({ face_id }) => face_id));
  return changes.filter(({ face_id }) => !gone.has(face_id));
};

const tellingOf = ({ type, data }: FollowVideo['event']): string => `${data.video_revision} ${type}`;

const apply = (state: MatchRunState, event: MatchRunEvent): MatchRunState => {
  switch (event.type) {
    case 'MatchRunStarted':
      return { ...state, video_id: event.data.video_id };
    case 'MatchRunCommitted':
      return { ...state, changes: mergeChanges(without(state.changes, event.data.replaced), event.data.changes) };
    case 'MatchRunFailureNoted':
      return { ...state, changes: without(state.changes, event.data.replaced) };
    case 'MatchRunSuperseded':
      return { ...state, superseded: true };
    case 'MatchRunUndone':
    case 'MatchRunSuggested':
    case 'LateWriteBackArrived':
      return state;
  }
};

const evolve = (state: MatchRunState, event: MatchRunEvent): MatchRunState => {
  const next = apply(state, event);
  return event.type === 'LateWriteBackArrived' ? next : { ...next, told: new Set(state.told).add(tellingOf(event)) };
};

const noteLate = (state: MatchRunState, command: NoteLateWriteBack) => {
  if (state.video_id !== command.video_id) return refuse<MatchRunRefusal>({ _tag: 'UnknownRun' });
  const { status, matches, error, at } = command;
  const reason = command.reason ?? (state.superseded ? 'run_superseded' : 'run_ended');
  return record<MatchRunEvent>({ type: 'LateWriteBackArrived', data: { reason, status, matches, error, at } });
};

export const matchRun: Decider<MatchRunCommand, MatchRunState, MatchRunEvent, MatchRunRefusal> = {
  category: 'matchRun',
  initial,
  evolve,
  decide: (command, state) => {
    switch (command.type) {
      case 'FollowVideo':
        return state.told.has(tellingOf(command.event)) ? nothing : record(command.event);
      case 'NoteLateWriteBack':
        return noteLate(state, command);
    }
  },
};
