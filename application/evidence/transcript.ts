import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Utterance } from '../../domain/audio/speech.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { speakerToday } from './match-evidence.js';
import { readParts } from './read-parts.js';

/** What was said in an audio, by those who are its speakers today, in the order in which it was said. */
export const transcriptOf = (
  store: EventStore,
  audio: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Utterance>> =>
  pipe(
    readParts(store, `transcript-${audio.audio_id}`, audio.transcript),
    TE.map((parts) =>
      parts
        .flatMap((event) => (event.type === 'TranscriptRecorded' ? event.data.utterances : []))
        .flatMap(({ speaker_id: recorded, start, end, text }) => {
          const speaker_id = speakerToday(audio.withdrawn.transcript, recorded);
          return speaker_id === null ? [] : [{ speaker_id, start, end, text }];
        }),
    ),
  );
