import type { NewEvent } from '../../application/ports/event-store.js';
import { type DomainEvent, storedType } from '../../domain/event-catalogue.js';
import { JsonObject } from '../../domain/kernel/recorded-event.js';
import { analysedAudio, registerAudio, renamedSpeakers, speaker } from '../support/audio-events.js';
import { ids, runStarted, runSuggested } from '../support/match-run-events.js';
import { faceId, made, runId, speakerId } from '../support/values.js';
import {
  analysed,
  block,
  change,
  face,
  facesMatched,
  proposed,
  queued,
  registerVideo,
  stored,
} from '../support/video-events.js';

/** Events of one stream, to be appended together. */
export interface Append {
  readonly stream: string;
  readonly events: ReadonlyArray<NewEvent>;
}

const start = Date.parse('2024-01-01T00:00:00.000Z');

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** A UUID derived from a number, which does not sort like the number. */
export const uuid = (kind: number, number: number): string =>
  `${hex(Math.imul(number + 1, 0x9e3779b1) >>> 0, 8)}-${hex(kind, 4)}-4000-8000-${hex(number, 12)}`;

const four = [0, 1, 2, 3];
const chunk = { first_revision: 0, parts: 1 };
const calm = { personality_traits: { openness: 0.61, calm: 0.4 } };
const call = { title: 'Call', kind: 'meeting' } as const;
const { type: _video, ...video } = { ...registerVideo, ...call, audio_id: null };
const { type: _audio, ...audio } = { ...registerAudio, ...call, video_id: ids.video_id };
const { owner_id, deal_persons } = audio;
const named = [0, 1].map((id) => [id, `Person ${id}`, `SPEAKER_0${id}`] as const);
const matched = [0, 1].map((id) =>
  change(id, { name: `Face ${id}`, ...calm }, { name: `Person ${id}`, speaker_id: speakerId(id), accuracy: 0.9 }),
);
const suggestions = block('r', 0, {
  mappings: [0, 1, 2].map((id) => ({ ...proposed(id, id, 0.87), name: null })),
  unmatched_speakers: [{ speaker_id: speakerId(3), reason: 'no_overlap' }],
  unmatched_faces: [faceId(3)],
});

type Facts = readonly [category: 'video' | 'audio' | 'matchRun', event: DomainEvent];

/** Registration, analyses, a suggest run, a person's mapping and names. */
const factsOf = (run_id: string, late: boolean): ReadonlyArray<Facts> => {
  const origin = { candidate_run_ids: [runId(run_id)], late };
  const speakers = four.map((id) => speaker(id, `SPEAKER_0${id}`));
  const faces = four.map((id) => face(id, `Face ${id}`, calm));
  return [
    ['video', { type: 'VideoRegistered', data: video }],
    ['audio', { type: 'AudioRegistered', data: audio }],
    [
      'video',
      {
        type: 'AudioAssociated',
        data: { audio_id: ids.audio_id, owner_id, deal_persons, title: null, kind: 'meeting' },
      },
    ],
    ['audio', analysedAudio(speakers, 'completed', { turns: chunk, transcript: chunk })],
    ['video', analysed(faces, 'completed', { tracks: chunk })],
    ['video', queued('r', 'suggest', 0)],
    ['matchRun', runStarted({ video_revision: 3, mode: 'suggest', target_speaker_ids: null })],
    ['video', stored(suggestions, origin)],
    ['matchRun', runSuggested(4, { ...origin, suggested: 3 })],
    ['video', facesMatched(0, matched, named)],
    ['audio', renamedSpeakers(0, named, { kind: 'face_match', video_id: ids.video_id, video_revision: 5 })],
    ['video', { type: 'PersonalityTraitsRecorded', data: { face_id: faceId(0), ...calm } }],
  ];
};

/** The history of one video with its audio, as a log holds it: all its ids and times are derived from the number. */
export const mediaHistory = (number: number, owner: string): ReadonlyArray<Append> => {
  const [video_id, audio_id, run_id] = [uuid(1, number), uuid(2, number), uuid(3, number)];
  const timeOf = (event: number): string => new Date(start + number * 1000 + event * 40).toISOString();
  const [at, title] = [timeOf(0), `Call ${number}`];
  const own: Readonly<Record<string, string>> = {
    video_id,
    audio_id,
    run_id,
    owner_id: owner,
    title,
    at,
    generated_at: at,
  };
  const ownFacts = (key: string, value: unknown): unknown => (value === null ? null : (own[key] ?? value));
  const ownStream = { video: video_id, audio: audio_id, matchRun: run_id };
  return factsOf(run_id, number % 50 === 0).map(([category, { type, data }], event) => {
    const metadata = {
      actor: { key_id: uuid(4, 7), account_id: owner },
      correlation_id: uuid(5, number),
      causation_id: uuid(6, number),
      schema_version: 1,
      recorded_at: timeOf(event),
    };
    const facts = made(JsonObject, JSON.parse(JSON.stringify(data), ownFacts));
    const id = uuid(17 + event, number);
    return {
      stream: `${category}-${ownStream[category]}`,
      events: [{ id, type: storedType(type), data: facts, metadata }],
    };
  });
};
