import type { NewEvent } from '../../application/ports/event-store.js';

/** Events of one stream, to be appended together. */
export interface Append {
  readonly stream: string;
  readonly events: ReadonlyArray<NewEvent>;
}

type Data = NewEvent['data'];

const start = Date.parse('2024-01-01T00:00:00.000Z');

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** A UUID derived from a number, which does not sort like the number. */
export const uuid = (kind: number, number: number): string =>
  `${hex(Math.imul(number + 1, 0x9e3779b1) >>> 0, 8)}-${hex(kind, 4)}-4000-8000-${hex(number, 12)}`;

const face = (face_id: number, name: string, speaker_id: number | null) => ({
  face_id,
  name,
  speaker_id,
  accuracy: speaker_id === null ? null : 0.9,
  personality_traits: { openness: 0.61, calm: 0.4 },
});

const change = (face_id: number, speaker_id: number) => {
  const { face_id: _id, ...before } = face(face_id, `Face ${face_id}`, null);
  return { face_id, before, after: { ...before, name: `Person ${speaker_id}`, speaker_id, personality_traits: null } };
};

const speaker = (speaker_id: number) => ({
  speaker_id,
  name: `SPEAKER_0${speaker_id}`,
  role: null,
  synthetic: false,
  deal_person_id: null,
});

const mapping = (face_id: number) => ({
  face_id,
  speaker_id: face_id,
  name: null,
  accuracy: 0.87,
  channel: 'co_occurrence',
  evidence: { overlap_seconds: 31.4, share: 0.83, runner_up: 0.21 },
});

const four = [0, 1, 2, 3];

/** The history of one video with its audio: registration, analyses, a suggest run, a person's mapping and names. */
export const mediaHistory = (number: number, owner_id: string): ReadonlyArray<Append> => {
  const video_id = uuid(1, number);
  const audio_id = uuid(2, number);
  const run_id = uuid(3, number);
  let event = 0;
  let at = '';
  const record = (stream: string, ...facts: ReadonlyArray<readonly [type: string, data: Data]>): Append => ({
    stream,
    events: facts.map(([type, data]) => {
      at = new Date(start + number * 1000 + event * 40).toISOString();
      event += 1;
      const metadata = {
        actor: { key_id: uuid(4, 7), account_id: owner_id },
        correlation_id: uuid(5, number),
        causation_id: uuid(6, number),
        schema_version: 1,
        recorded_at: at,
      };
      return { id: uuid(16 + event, number), type: `${type}.v1`, data, metadata };
    }),
  });
  const video = `video-${video_id}`;
  const audio = `audio-${audio_id}`;
  const run = `matchRun-${run_id}`;
  const now = new Date(start + number * 1000).toISOString();
  const origin = {
    attribution: 'own',
    candidate_run_ids: [run_id],
    late_write_suspected: false,
    late: number % 50 === 0,
    at: now,
  };
  const block = {
    run_id,
    generated_at: now,
    mappings: [0, 1, 2].map(mapping),
    unmatched_speakers: [{ speaker_id: 3, reason: 'no_overlap' }],
    unmatched_faces: [3],
  };
  const renamed = [0, 1].map((id) => ({ speaker_id: id, name: `Person ${id}`, previous_name: `SPEAKER_0${id}` }));
  return [
    record(video, [
      'VideoRegistered',
      { video_id, owner_id, title: `Call ${number}`, kind: 'meeting', audio_id: null },
    ]),
    record(audio, [
      'AudioRegistered',
      { audio_id, owner_id, title: `Call ${number}`, kind: 'meeting', video_id, deal_persons: [] },
    ]),
    record(video, ['AudioAssociated', { audio_id, owner_id, title: null, kind: 'meeting', deal_persons: [] }]),
    record(audio, [
      'AudioAnalysisRecorded',
      {
        status: 'completed',
        analysis_id: uuid(8, number),
        speakers: four.map(speaker),
        turns: { first_revision: 0, parts: 1 },
        transcript: { first_revision: 0, parts: 1 },
        provider_supplied: false,
        speech_segments: null,
      },
    ]),
    record(video, [
      'VideoAnalysisRecorded',
      {
        status: 'completed',
        analysis_id: uuid(9, number),
        faces: four.map((id) => face(id, `Face ${id}`, null)),
        tracks: { first_revision: 0, parts: 1 },
        at: now,
      },
    ]),
    record(video, [
      'MatchRunQueued',
      { run_id, audio_id, mode: 'suggest', target_speaker_ids: null, at: now, supersedes: [] },
    ]),
    record(run, [
      'MatchRunStarted',
      { video_revision: 3, run_id, video_id, audio_id, mode: 'suggest', target_speaker_ids: null, at: now },
    ]),
    record(video, ['SuggestionsStored', { run_id, audio_id, ...origin, block }]),
    record(run, ['MatchRunSuggested', { video_revision: 4, ...origin, suggested: 3 }]),
    record(video, ['FacesMatched', { audio_id, changes: [change(0, 0), change(1, 1)], speakers: renamed, at: now }]),
    record(audio, [
      'SpeakersRenamed',
      { speakers: renamed, cause: { kind: 'face_match', video_id, video_revision: 5 }, at: now },
    ]),
    record(video, ['PersonalityTraitsRecorded', { face_id: 0, personality_traits: { openness: 0.7, calm: 0.2 } }]),
  ];
};
