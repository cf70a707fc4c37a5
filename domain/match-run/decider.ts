import { dataOf, type Decider, record, refuse } from '../kernel/decider.js';
import type { AudioId, VideoId } from '../kernel/ids.js';
import { type Subject, audioSubject, videoSubject } from '../kernel/recorded-event.js';
import { type FaceChange, type FaceEdit, mergeChanges } from '../video/changes.js';
import type { RecordAnswer, MatchRunCommand, MatchRunEvent, MatchRunRefusal, RecordLateWriteBack } from './contract.js';

export interface MatchRunState {
  readonly video_id: VideoId | null;
  readonly audio_id: AudioId | null;
  readonly superseded: boolean;
  /**
   * Changes made by the run's write-backs and not taken back by its own answer. A revert compares them with the faces.
   */
  readonly changes: ReadonlyArray<FaceChange>;
  /** The revision of the video at which the first of them was made. */
  readonly changed_at: number;
  /** Video events that were already applied, by revision and type. Applying one again changes nothing. */
  readonly applied: ReadonlySet<string>;
}

const initial: MatchRunState = {
  video_id: null,
  audio_id: null,
  superseded: false,
  changes: [],
  changed_at: 0,
  applied: new Set(),
};

const without = (changes: ReadonlyArray<FaceChange>, undone: ReadonlyArray<FaceEdit>): ReadonlyArray<FaceChange> => {
  const gone = new Set(undone.map(({ face_id }) => face_id));
  return changes.filter(({ face_id }) => !gone.has(face_id));
};

type OfVideo = Exclude<MatchRunEvent, { type: 'LateWriteBackArrived' }>;

const keyOf = ({ type, data }: OfVideo): string => `${data.video_revision} ${type}`;

const apply = (state: MatchRunState, event: MatchRunEvent): MatchRunState => {
  switch (event.type) {
    case 'MatchRunStarted':
      return { ...state, video_id: event.data.video_id, audio_id: event.data.audio_id };
    case 'MatchRunCommitted': {
      const { replaced, changes, video_revision } = event.data;
      const left = without(state.changes, replaced);
      const changed_at = left.length === 0 ? video_revision : Math.min(state.changed_at, video_revision);
      return { ...state, changes: mergeChanges(left, changes), changed_at };
    }
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
  return event.type === 'LateWriteBackArrived' ? next : { ...next, applied: new Set(state.applied).add(keyOf(event)) };
};

const recordAnswer = ({ run_id, video_id, audio_id, answer }: RecordAnswer): ReadonlyArray<OfVideo> => {
  const { attribution, video_revision, at } = answer.data;
  if (attribution !== 'unattributed') return [answer];
  const mode = answer.type === 'MatchRunSuggested' ? 'suggest' : 'commit';
  const data = { video_revision, run_id, video_id, audio_id, mode, target_speaker_ids: null, at } as const;
  return [{ type: 'MatchRunStarted', data }, answer];
};

/** Records the events that were not recorded before. */
const once = (state: MatchRunState, ...events: ReadonlyArray<OfVideo>) =>
  record<MatchRunEvent>(...events.filter((event) => !state.applied.has(keyOf(event))));

const recordLate = (state: MatchRunState, command: RecordLateWriteBack) => {
  if (state.video_id !== command.video_id) return refuse<MatchRunRefusal>({ _tag: 'UnknownRun' });
  const { status, matches, error, at } = command;
  const reason = command.reason ?? (state.superseded ? 'run_superseded' : 'run_ended');
  return record<MatchRunEvent>({ type: 'LateWriteBackArrived', data: { reason, status, matches, error, at } });
};

/**
 * The video and audio of a run. A result may arrive before the run's start is recorded, so the ids may come from the
 * command.
 */
const aboutMedia = (
  state: MatchRunState,
  event: MatchRunEvent,
  command: MatchRunCommand | null,
): ReadonlyArray<Subject> => {
  const run = event.type === 'MatchRunStarted' ? event.data : state;
  const video_id = run.video_id ?? (command !== null && 'video_id' in command ? command.video_id : null);
  const audio_id = run.audio_id ?? (command !== null && 'audio_id' in command ? command.audio_id : null);
  return [
    ...(video_id === null ? [] : [videoSubject(video_id)]),
    ...(audio_id === null ? [] : [audioSubject(audio_id)]),
  ];
};

export const matchRun: Decider<MatchRunCommand, MatchRunState, MatchRunEvent, MatchRunRefusal> = {
  category: 'matchRun',
  about: aboutMedia,
  initial,
  evolve,
  decide: (command, state) => {
    switch (command.type) {
      case 'StartRun':
        return once(state, { type: 'MatchRunStarted', data: dataOf(command) });
      case 'RecordAnswer':
        return once(state, ...recordAnswer(command));
      case 'SupersedeRun':
        return once(state, { type: 'MatchRunSuperseded', data: dataOf(command) });
      case 'RecordRevert': {
        const { video_revision, changes, at } = command;
        return once(state, { type: 'MatchRunUndone', data: { video_revision, changes, at } });
      }
      case 'RecordLateWriteBack':
        return recordLate(state, command);
    }
  },
};
