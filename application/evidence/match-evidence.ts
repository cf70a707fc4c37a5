import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Presence } from '../../domain/matching/continuations.js';
import type { FaceTrack, MatchInput, SpeakerTurns } from '../../domain/matching/match-speakers-to-faces.js';
import { merged } from '../../domain/matching/intervals.js';
import { decidedLinks } from '../../domain/video/decisions/decide-links.js';
import type { FaceTracks } from '../../domain/video/events.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { faceTracksOf, turnsOf } from './parts.js';

/** The items of each id, in order. Ids without items are included; items of others are left out. */
const itemsBy = <Id, Item>(ids: Iterable<Id>, items: ReadonlyArray<Item>, idOf: (item: Item) => Id) => {
  const all = new Map<Id, Item[]>([...ids].map((id) => [id, []]));
  for (const item of items) all.get(idOf(item))?.push(item);
  return all;
};

const seenFaces = (
  app: Uses<'store'>,
  { video_id, tracks, faces }: RegisteredVideo,
): TE.TaskEither<Failure, ReadonlyArray<FaceTrack>> =>
  pipe(
    faceTracksOf(app, video_id, tracks),
    TE.map((recorded) => {
      const byFace = itemsBy(faces.keys(), recorded, ({ face_id }) => face_id);
      return [...faces.values()].map(({ face_id, name }) => {
        const pieces = byFace.get(face_id) ?? [];
        return {
          face_id,
          name,
          tracks: pieces.flatMap((piece) => piece.tracks),
          talking: pieces.flatMap((piece) => piece.talking),
          captions: pieces.flatMap((piece) => piece.captions),
        };
      });
    }),
  );

const heardSpeakers = (
  app: Uses<'store'>,
  { audio_id, turns, speakers, changes }: RegisteredAudio,
  targets: ReadonlySet<SpeakerId>,
): TE.TaskEither<Failure, ReadonlyArray<SpeakerTurns>> =>
  pipe(
    turnsOf(app, audio_id, turns, changes.turns),
    TE.map((recorded) => {
      const bySpeaker = itemsBy(speakers.keys(), recorded, ({ speaker_id }) => speaker_id);
      return [...speakers.values()]
        .filter(({ speaker_id, synthetic }) => !synthetic || targets.has(speaker_id))
        .map(({ speaker_id, name }) => ({ speaker_id, name, turns: bySpeaker.get(speaker_id) ?? [] }));
    }),
  );

/** The input of a match: face tracks and speaker turns. */
export const matchEvidence = (
  app: Uses<'store'>,
  video: RegisteredVideo,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<Failure, MatchInput> =>
  pipe(
    TE.Do,
    TE.bind('faces', () => seenFaces(app, video)),
    TE.bind('speakers', () => heardSpeakers(app, audio, new Set(target_speaker_ids))),
    TE.map((found) => ({ ...found, target_speaker_ids, decided: decidedLinks(video.faces, video.ruled_out) })),
  );

/** When each of these speakers is heard. */
export const heardIn = (
  speakers: Iterable<SpeakerId>,
  turns: ReadonlyArray<Interval & { readonly speaker_id: SpeakerId }>,
): ReadonlyArray<Presence<SpeakerId>> =>
  [...itemsBy(speakers, turns, ({ speaker_id }) => speaker_id)].map(([id, own]) => ({ id, present: merged(own) }));

/** When each of these faces is seen. */
export const seenIn = (
  faces: Iterable<FaceId>,
  tracks: ReadonlyArray<Pick<FaceTracks, 'face_id' | 'tracks'>>,
): ReadonlyArray<Presence<FaceId>> =>
  [...itemsBy(faces, tracks, ({ face_id }) => face_id)].map(([id, pieces]) => ({
    id,
    present: merged(pieces.flatMap((piece) => piece.tracks)),
  }));

/** When each speaker of an audio is heard, by its last completed analysis. */
export const heardBefore = (
  app: Uses<'store'>,
  { audio_id, speakers, completed }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Presence<SpeakerId>>> =>
  pipe(
    turnsOf(app, audio_id, completed?.turns ?? null, completed?.changes ?? []),
    TE.map((turns) => heardIn(speakers.keys(), turns)),
  );

/** When each face of a video is seen, by its last completed analysis. */
export const seenBefore = (
  app: Uses<'store'>,
  { video_id, faces, completed }: RegisteredVideo,
): TE.TaskEither<Failure, ReadonlyArray<Presence<FaceId>>> =>
  pipe(
    faceTracksOf(app, video_id, completed?.tracks ?? null),
    TE.map((tracks) => seenIn(faces.keys(), tracks)),
  );
