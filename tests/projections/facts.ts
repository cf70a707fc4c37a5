import { at } from '../support/values.js';
import { fact } from './given.js';

/** Faces, speakers and write-backs as in events, with defaults for irrelevant fields. */
export const face = (face_id: number, parts: object = {}) => ({
  face_id,
  name: `Face ${face_id}`,
  speaker_id: null,
  accuracy: null,
  personality_traits: null,
  ...parts,
});

export const shown = (id: number, parts: object = {}) => {
  const { face_id: _id, ...attributes } = face(id, parts);
  return { id, ...attributes };
};

/** A change that matches a face to a speaker, or its inverse. */
export const change = (face_id: number, before: object, after: object) => {
  const { face_id: _before, ...attributesBefore } = face(face_id, before);
  const { face_id: _after, ...attributesAfter } = face(face_id, after);
  return { face_id, before: attributesBefore, after: attributesAfter, named_by: null };
};

export const speaker = (speaker_id: number, parts: object = {}) => ({
  speaker_id,
  name: null,
  role: null,
  synthetic: false,
  deal_person_id: null,
  ...parts,
});

/** How a write-back was attributed. */
export const booked = (parts: object = {}) => ({
  attribution: 'own',
  candidate_run_ids: ['r1'],
  late_write_suspected: false,
  late: false,
  at: at(100),
  ...parts,
});

const writeBack = (parts: object) => ({ run_id: 'r1', audio_id: 'a1', ...booked(parts) });

export const block = (parts: object = {}) => ({
  run_id: 'r1',
  generated_at: at(100),
  mappings: [],
  unmatched_speakers: [],
  unmatched_faces: [],
  ...parts,
});

export const videoRegistered = (parts: object = {}) =>
  fact('VideoRegistered', {
    video_id: 'v1',
    owner_id: 'o1',
    title: 'A call',
    kind: 'meeting',
    audio_id: null,
    ...parts,
  });

export const videoAnalysed = (...faces: ReadonlyArray<object>) =>
  fact('VideoAnalysisRecorded', { status: 'completed', analysis_id: 'x', faces, tracks: null, at: at(40) });

export const queued = (mode: 'suggest' | 'commit', parts: object = {}) =>
  fact('MatchRunQueued', {
    run_id: 'r1',
    audio_id: 'a1',
    mode,
    target_speaker_ids: null,
    at: at(50),
    supersedes: [],
    ...parts,
  });

export const suggested = (parts: object = {}) =>
  fact('SuggestionsStored', { ...writeBack(parts), block: block(), ...parts });

export const committed = (parts: object = {}) =>
  fact('MatchesCommitted', { ...writeBack(parts), matches: [], replaced: [], changes: [], ...parts });

export const failed = (mode: 'suggest' | 'commit', parts: object = {}) =>
  fact('MatchRunFailed', {
    ...writeBack(parts),
    mode,
    error: 'broken',
    replaced: [],
    withdraws_block: false,
    ...parts,
  });

export const reverted = (parts: object = {}) =>
  fact('MatchRunReverted', { run_id: 'r1', changes: [], changed_since: [], at: at(200), ...parts });

export const runStarted = (parts: object = {}) =>
  fact('MatchRunStarted', {
    video_revision: 1,
    run_id: 'r1',
    video_id: 'v1',
    audio_id: 'a1',
    mode: 'commit',
    target_speaker_ids: [1],
    at: at(50),
    ...parts,
  });

export const runCommitted = (video_revision: number, changes: ReadonlyArray<object>, parts: object = {}) =>
  fact('MatchRunCommitted', { video_revision, ...booked(), replaced: [], changes, ...parts });

export const lateArrival = (parts: object = {}) =>
  fact('LateWriteBackArrived', {
    reason: 'run_ended',
    status: 'completed',
    matches: [{ face_id: 1, speaker_id: 2, accuracy: 0.5 }],
    error: null,
    at: at(300),
    ...parts,
  });

export const audioRegistered = (parts: object = {}) =>
  fact('AudioRegistered', {
    audio_id: 'a1',
    owner_id: 'o1',
    title: null,
    kind: 'upload',
    video_id: null,
    deal_persons: [],
    ...parts,
  });

export const audioAnalysed = (parts: object = {}) =>
  fact('AudioAnalysisRecorded', {
    status: 'completed',
    analysis_id: 'x',
    speakers: [],
    turns: null,
    transcript: null,
    provider_supplied: false,
    speech_segments: null,
    ...parts,
  });
