import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { SpeakerId, FaceId } from '../../domain/kernel/ids.js';
import { decidedLinks } from '../../domain/video/decisions/decide-links.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { type PackedMatchInput, facePacker, numberList } from './packed-match.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Presence } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/stretches.js';
import type { Uses } from '../application.js';
import { speakerIn, eachPart } from './parts.js';

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

/** Collects the intervals of faces or speakers. */
export interface PresenceCollector<Id extends number> {
  readonly add: (id: Id, interval: Interval) => void;
  readonly all: () => ReadonlyArray<Presence<Id>>;
}

/** Ids without intervals are included; intervals of other ids are left out. */
export const presenceCollector = <Id extends number>(ids: Iterable<Id>): PresenceCollector<Id> => {
  const intervals = new Map<Id, Interval[]>([...ids].map((id) => [id, []]));
  return {
    add: (id, interval) => intervals.get(id)?.push(interval),
    all: () => [...intervals].map(([id, times]) => ({ id, present: merged(times) })),
  };
};

/** When each speaker of an audio is heard, by its last completed analysis. */
export const heardBefore = (
  { store }: Uses<'store'>,
  { audio_id, speakers, completed }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Presence<SpeakerId>>> => {
  const heard = presenceCollector(speakers.keys());
  const speakerOf = speakerIn(completed?.changes ?? []);
  return pipe(
    eachPart(store, `speakerTurns-${audio_id}`, completed?.turns ?? null, (part) => {
      if (part.type !== 'SpeakerTurnsRecorded') return;
      for (const turn of part.data.turns) {
        const speaker_id = speakerOf(turn.speaker_id);
        if (speaker_id !== null) heard.add(speaker_id, turn);
      }
    }),
    TE.map(heard.all),
  );
};

/** When each face of a video is seen, by its last completed analysis. */
export const seenBefore = (
  { store }: Uses<'store'>,
  { video_id, faces, completed }: RegisteredVideo,
): TE.TaskEither<Failure, ReadonlyArray<Presence<FaceId>>> => {
  const seen = presenceCollector(faces.keys());
  return pipe(
    eachPart(store, `faceTracks-${video_id}`, completed?.tracks ?? null, (part) => {
      if (part.type !== 'FaceTracksRecorded') return;
      for (const { face_id, tracks } of part.data.faces) for (const track of tracks) seen.add(face_id, track);
    }),
    TE.map(seen.all),
  );
};
