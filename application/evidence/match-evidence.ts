import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';
import { followIds } from '../../domain/kernel/renumbering.js';
import { decidedLinks } from '../../domain/video/decided-links.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { type PackedMatchInput, facePacker, numberList } from './packed-match.js';
import { readParts } from './part-reader.js';

/** The speaker after a change: the same, the one it was merged into or got the number of, or null. */
const after = (change: SpeakerChange): ((speaker_id: SpeakerId) => SpeakerId | null) =>
  change.kind === 'renumbered'
    ? followIds([change])
    : (speaker_id) => (speaker_id === change.speaker_id ? change.merged_into : speaker_id);

/**
 * Finds the current speaker for a recorded one: null after a deletion, or if no later analysis continues it. Results are
 * remembered: evidence has hundreds of thousands of turns of a few speakers.
 */
export const speakerIn = (changes: ReadonlyArray<SpeakerChange>): ((recorded: SpeakerId) => SpeakerId | null) => {
  const steps = changes.map(after);
  const known = new Map<SpeakerId, SpeakerId | null>();
  return (recorded) => {
    const before = known.get(recorded);
    if (before !== undefined) return before;
    const current = steps.reduce<SpeakerId | null>(
      (speaker_id, step) => (speaker_id === null ? null : step(speaker_id)),
      recorded,
    );
    known.set(recorded, current);
    return current;
  };
};

/** Passes the parts to `take` one at a time. */
export const eachPart = (
  store: EventStore,
  stream: string,
  chunks: Chunks | null,
  take: (part: DomainEvent) => void,
): TE.TaskEither<Failure, void> =>
  pipe(
    Array.from({ length: chunks?.parts ?? 0 }, (_, part) => (chunks?.first_revision ?? 0) + part),
    TE.traverseSeqArray((first_revision) =>
      pipe(
        readParts(store, stream, { first_revision, parts: 1 }),
        TE.map((events) => events.forEach(take)),
      ),
    ),
    TE.map(() => undefined),
  );

const packedFaces = (store: EventStore, { video_id, tracks, faces }: RegisteredVideo) => {
  const packers = new Map([...faces.keys()].map((face_id) => [face_id, facePacker()]));
  return pipe(
    eachPart(store, `faceTracks-${video_id}`, tracks, (part) => {
      if (part.type === 'FaceTracksRecorded') part.data.faces.forEach((face) => packers.get(face.face_id)?.add(face));
    }),
    TE.map(() =>
      [...faces.values()].map(({ face_id, name }) => ({
        face_id,
        name,
        ...(packers.get(face_id) ?? facePacker()).packed(),
      })),
    ),
  );
};

const packedSpeakers = (store: EventStore, audio: RegisteredAudio) => {
  const { audio_id, turns, speakers, changes } = audio;
  const speakerOf = speakerIn(changes.turns);
  const bySpeaker = new Map([...speakers.keys()].map((speaker_id) => [speaker_id, numberList()]));
  return pipe(
    eachPart(store, `speakerTurns-${audio_id}`, turns, (part) => {
      if (part.type !== 'SpeakerTurnsRecorded') return;
      part.data.turns.forEach(({ speaker_id: recorded, start, end }) => {
        const speaker_id = speakerOf(recorded);
        if (speaker_id !== null) bySpeaker.get(speaker_id)?.push(start, end);
      });
    }),
    TE.map(() =>
      [...speakers.values()].map(({ speaker_id, name, synthetic }) => ({
        speaker_id,
        name,
        synthetic,
        turns: (bySpeaker.get(speaker_id) ?? numberList()).all(),
      })),
    ),
  );
};

/** The input of a match: face tracks and speaker turns. */
export const matchEvidence = (
  store: EventStore,
  video: RegisteredVideo,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<Failure, PackedMatchInput> =>
  pipe(
    TE.Do,
    TE.bind('faces', () => packedFaces(store, video)),
    TE.bind('speakers', () => packedSpeakers(store, audio)),
    TE.let('targets', () => new Set(target_speaker_ids)),
    TE.map(({ faces, speakers, targets }) => ({
      faces,
      speakers: speakers
        .filter(({ speaker_id, synthetic }) => !synthetic || targets.has(speaker_id))
        .map(({ speaker_id, name, turns }) => ({ speaker_id, name, turns })),
      target_speaker_ids,
      decided: decidedLinks(video.faces, video.ruled_out),
    })),
  );
