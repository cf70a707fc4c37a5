import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { SpeakerTurn } from '../../domain/audio/speech.js';
import type { RegisteredAudio, WithdrawnSpeaker } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { MatchInput } from '../../domain/matching/match-speakers-to-faces.js';
import type { FaceTracks } from '../../domain/video/face-tracks.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readParts } from './read-parts.js';

/** Whose words those of a speaker are today: its own, those it was merged into, or nobody's. */
export const speakerToday = (withdrawn: ReadonlyArray<WithdrawnSpeaker>, recorded: SpeakerId): SpeakerId | null =>
  withdrawn.reduce<SpeakerId | null>(
    (current, { speaker_id, merged_into }) => (current === speaker_id ? merged_into : current),
    recorded,
  );

const tracksByFace = (parts: ReadonlyArray<DomainEvent>): ReadonlyMap<FaceId, FaceTracks> => {
  const byFace = new Map<FaceId, FaceTracks>();
  for (const part of parts.flatMap((event) => (event.type === 'FaceTracksRecorded' ? event.data.faces : []))) {
    const before = byFace.get(part.face_id);
    byFace.set(part.face_id, {
      face_id: part.face_id,
      tracks: [...(before?.tracks ?? []), ...part.tracks],
      talking: [...(before?.talking ?? []), ...part.talking],
      captions: [...(before?.captions ?? []), ...part.captions],
    });
  }
  return byFace;
};

const turnsBySpeaker = (
  audio: RegisteredAudio,
  turns: ReadonlyArray<SpeakerTurn>,
): ReadonlyMap<SpeakerId, ReadonlyArray<Interval>> => {
  const bySpeaker = new Map<SpeakerId, Array<Interval>>();
  for (const { speaker_id: recorded, start, end } of turns) {
    const speaker_id = speakerToday(audio.withdrawn.turns, recorded);
    if (speaker_id === null) continue;
    const own = bySpeaker.get(speaker_id) ?? [];
    own.push({ start, end });
    bySpeaker.set(speaker_id, own);
  }
  return bySpeaker;
};

/** Everything that a match is computed from: what was recorded of the faces and of the speakers' turns. */
export const matchEvidence = (
  store: EventStore,
  video: RegisteredVideo,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<Failure, MatchInput> =>
  pipe(
    TE.Do,
    TE.bind('faceParts', () => readParts(store, `faceTracks-${video.video_id}`, video.tracks)),
    TE.bind('turnParts', () => readParts(store, `speakerTurns-${audio.audio_id}`, audio.turns)),
    TE.map(({ faceParts, turnParts }) => {
      const tracks = tracksByFace(faceParts);
      const turns = turnsBySpeaker(
        audio,
        turnParts.flatMap((event) => (event.type === 'SpeakerTurnsRecorded' ? event.data.turns : [])),
      );
      return {
        faces: [...video.faces.values()].map(({ face_id, name }) => ({
          ...(tracks.get(face_id) ?? { tracks: [], talking: [], captions: [] }),
          face_id,
          name,
        })),
        speakers: [...audio.speakers.values()]
          .filter(({ speaker_id, synthetic }) => !synthetic || (target_speaker_ids?.includes(speaker_id) ?? false))
          .map(({ speaker_id, name }) => ({ speaker_id, name, turns: turns.get(speaker_id) ?? [] })),
        target_speaker_ids,
      };
    }),
  );
