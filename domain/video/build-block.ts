import type { RunId, SpeakerId } from '../kernel/ids.js';
import { type Naming, isBlank, isRealName } from '../kernel/names.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { ProposedMatch, WorkerAnswer, SuggestedMapping, SuggestionBlock, UnmatchedSpeaker } from './write-back.js';
import type { AudioFacts } from './contract.js';
import { confirmedLinks } from './decisions/decide-links.js';
import { type RuledOut, isRuledOut } from './changes.js';
import { speakersById } from './link-faces.js';
import type { RegisteredVideo } from './state.js';

/** The name that face and speaker will share after the mapping is committed; null if each keeps its own. */
const sharedName = (face: Naming | undefined, speaker: Naming | undefined): string | null => {
  const [faceName, speakerName] = [face?.name ?? null, speaker?.name ?? null];
  if (!isRealName(faceName, face?.named_by)) return isBlank(speakerName) ? null : speakerName;
  return faceName === speakerName || !isRealName(speakerName, speaker?.named_by) ? faceName : null;
};

/** The speakers that a run targets; by default all except synthetic tracks. */
export const targetedSpeakers = (
  audio: AudioFacts,
  targets: ReadonlyArray<SpeakerId> | null,
): ReadonlyArray<SpeakerId> =>
  targets ?? audio.speakers.filter(({ synthetic }) => !synthetic).map(({ speaker_id }) => speaker_id);

type BlockMatch = Omit<SuggestedMapping, 'name'>;

/**
 * Adds confirmed links to a block, without accuracy. A match that contradicts a confirmed link stays: it can only come
 * from a write-back without run id, which is stored as sent.
 */
const withConfirmed = (
  matches: ReadonlyArray<ProposedMatch>,
  confirmed: ReadonlyArray<Pick<ProposedMatch, 'face_id' | 'speaker_id'>>,
): ReadonlyArray<BlockMatch> => {
  const faceOf = new Map(confirmed.map(({ face_id, speaker_id }) => [speaker_id, face_id]));
  const [faces, speakers] = [
    new Set(matches.map(({ face_id }) => face_id)),
    new Set(matches.map(({ speaker_id }) => speaker_id)),
  ];
  return [
    ...matches.map((match) => (faceOf.get(match.speaker_id) === match.face_id ? { ...match, accuracy: null } : match)),
    ...confirmed
      .filter(({ face_id, speaker_id }) => !faces.has(face_id) && !speakers.has(speaker_id))
      .map((pair): BlockMatch => ({
        ...pair,
        accuracy: null,
        channel: 'co_occurrence',
        evidence: { decision: 'confirmed' },
      })),
  ];
};

const unmatched = (
  targets: ReadonlyArray<SpeakerId>,
  matches: ReadonlyArray<BlockMatch>,
  explained: ReadonlyArray<UnmatchedSpeaker>,
  ruled: RuledOut,
): ReadonlyArray<UnmatchedSpeaker> => {
  const matched = new Set(matches.map(({ speaker_id }) => speaker_id));
  const known = new Map(explained.map((speaker) => [speaker.speaker_id, speaker]));
  return targets
    .filter((speaker_id) => !matched.has(speaker_id))
    .map(
      (speaker_id) =>
        known.get(speaker_id) ?? {
          speaker_id,
          reason: isRuledOut(ruled, speaker_id, null) ? 'decided_not_seen' : 'not_matched',
        },
    );
};

/** Builds the suggestion block of a suggest run. */
export const buildBlock = (
  state: RegisteredVideo,
  audio: AudioFacts,
  run: { readonly run_id: RunId; readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null },
  answer: Extract<WorkerAnswer, { status: 'completed' }>,
  generated_at: Timestamp,
): SuggestionBlock => {
  const speakers = speakersById(audio);
  const confirmed = confirmedLinks(state.faces).filter(({ speaker_id }) => speakers.has(speaker_id));
  const matches = withConfirmed(answer.matches, confirmed);
  const mappings = matches.map(({ face_id, speaker_id, accuracy, channel, evidence }): SuggestedMapping => ({
    face_id,
    speaker_id,
    name: sharedName(state.faces.get(face_id), speakers.get(speaker_id)),
    accuracy,
    channel,
    evidence,
  }));
  const targets = targetedSpeakers(audio, run.target_speaker_ids);
  const matchedFaces = new Set(matches.map(({ face_id }) => face_id));
  return {
    run_id: run.run_id,
    generated_at,
    mappings,
    unmatched_speakers: unmatched(targets, matches, answer.unmatched_speakers, state.ruled_out),
    unmatched_faces: [...state.faces.keys()].filter((face_id) => !matchedFaces.has(face_id)),
  };
};
