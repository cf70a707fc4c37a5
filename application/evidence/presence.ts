import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { SpeakerId, FaceId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Presence } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/stretches.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { eachPart, speakerIn } from './match-evidence.js';

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
