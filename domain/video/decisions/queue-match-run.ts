import * as E from 'fp-ts/lib/Either.js';
import { record, refuse } from '../../kernel/decider.js';
import type { SpeakerId } from '../../kernel/ids.js';
import { areSpeakersKnown } from '../../kernel/media.js';
import { isRealName } from '../../kernel/names.js';
import { matchByName, nameMatchAccuracy } from '../../matching/name-channel.js';
import { buildBlock, targetedSpeakers } from '../build-block.js';
import { type ProposedMatch, isInFlight, certainOrigin } from '../write-back.js';
import type { QueueMatchRun, AudioFacts, VideoDecision, VideoRefusalOf } from '../contract.js';
import type { VideoEvent, WriteBackFacts } from '../events.js';
import { type RegisteredVideo, laterThanAllNames } from '../state.js';
import { splitByDecisions, withoutConfirmed } from './decide-links.js';
import { commitLinks } from '../link-faces.js';

const unknownTarget = (audio: AudioFacts, targets: ReadonlyArray<SpeakerId> | null): SpeakerId | undefined => {
  if (!areSpeakersKnown(audio.status, audio.speakers.length)) return undefined;
  const known = new Set(audio.speakers.map(({ speaker_id }) => speaker_id));
  return targets?.find((speaker_id) => !known.has(speaker_id));
};

const refusalOf = (
  state: RegisteredVideo,
  { target_speaker_ids, audio, at, stale_seconds }: QueueMatchRun & { readonly audio: AudioFacts },
): VideoRefusalOf<'QueueMatchRun'> | null => {
  if (target_speaker_ids?.length === 0) return { _tag: 'EmptyTargets' };
  const speaker_id = unknownTarget(audio, target_speaker_ids);
  if (speaker_id !== undefined) return { _tag: 'TargetNotInAudio', speaker_id };
  if (state.status !== 'completed') return { _tag: 'MediaNotCompleted', medium: 'video', status: state.status };
  if (audio.status !== 'completed') return { _tag: 'MediaNotCompleted', medium: 'audio', status: audio.status };
  const { queued_at, run_id } = state.match;
  return queued_at !== null && isInFlight(state.match, at, stale_seconds)
    ? { _tag: 'RunInFlight', run_id, queued_at }
    : null;
};

/** Whether names alone may resolve a run: every target speaker has a real name. */
const areNamed = ({ speakers }: AudioFacts, targets: ReadonlySet<SpeakerId>): boolean =>
  targets.size > 0 && speakers.every(({ speaker_id, name }) => !targets.has(speaker_id) || isRealName(name));

/** The matches if names alone resolve the run; null if a worker is needed (name-channel pre-pass). */
const resolvedByNames = (
  state: RegisteredVideo,
  audio: AudioFacts,
  wanted: ReadonlySet<SpeakerId>,
): ReadonlyArray<ProposedMatch> | null => {
  if (!areNamed(audio, wanted)) return null;
  const faces = [...state.faces.values()];
  const speakers = [...audio.speakers].sort((a, b) => a.speaker_id - b.speaker_id);
  const byName = matchByName(faces, speakers).flatMap(({ row, column }) => {
    const [speaker, face] = [speakers[row], faces[column]];
    return speaker === undefined || face === undefined || !wanted.has(speaker.speaker_id)
      ? []
      : [{ face_id: face.face_id, speaker_id: speaker.speaker_id }];
  });
  const matches = splitByDecisions(state.faces, state.ruled_out, byName).kept;
  return matches.length < wanted.size
    ? null
    : matches.map(({ face_id, speaker_id }) => ({
        face_id,
        speaker_id,
        accuracy: nameMatchAccuracy,
        channel: 'name',
        evidence: { equal_name: state.faces.get(face_id)?.name ?? null },
      }));
};

const answeredByNames = (
  state: RegisteredVideo,
  { run_id, mode, target_speaker_ids, at }: QueueMatchRun,
  audio: AudioFacts,
  matches: ReadonlyArray<ProposedMatch>,
): VideoEvent => {
  const facts: WriteBackFacts = {
    run_id,
    audio_id: state.audio_id,
    ...certainOrigin(run_id, 'name_channel'),
    at: laterThanAllNames(at, state.faces, audio),
  };
  if (mode === 'commit')
    return {
      type: 'MatchesCommitted',
      data: {
        ...facts,
        matches: matches.map(({ face_id, speaker_id, accuracy }) => ({ face_id, speaker_id, accuracy })),
        replaced: [],
        changes: commitLinks(state.faces, withoutConfirmed(state.faces, matches), audio),
      },
    };
  const answer = { status: 'completed' as const, matches, unmatched_speakers: [] };
  return {
    type: 'SuggestionsStored',
    data: { ...facts, block: buildBlock(state, audio, { run_id, target_speaker_ids }, answer, at) },
  };
};

/** POST speaker-face-match, in both modes (specification, sections 3 and 4.3). */
export const queueMatchRun = (state: RegisteredVideo, command: QueueMatchRun): VideoDecision<'QueueMatchRun'> => {
  const { audio } = command;
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  const refusal = refusalOf(state, { ...command, audio });
  if (refusal !== null) return E.left(refusal);
  const { run_id, mode, target_speaker_ids, at } = command;
  const queued: VideoEvent = {
    type: 'MatchRunQueued',
    data: {
      run_id,
      audio_id,
      mode,
      target_speaker_ids: target_speaker_ids === null ? null : [...new Set(target_speaker_ids)],
      at,
      supersedes: state.open_runs
        .filter(({ superseded, assumed }) => !superseded && assumed === null)
        .map((run) => run.run_id),
    },
  };
  const wanted = new Set(targetedSpeakers(audio, queued.data.target_speaker_ids));
  const matches = resolvedByNames(state, audio, wanted);
  if (matches === null) return record(queued);
  return record(queued, answeredByNames(state, command, audio, matches));
};
