import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Utterance } from '../../domain/audio/speech.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { speakerIn } from './match-evidence.js';
import { readParts } from './part-reader.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { AudioId } from '../../domain/kernel/ids.js';
import type { RequestContext } from '../commands/context.js';
import type { PackedParts } from './packed-match.js';
import { writeParts } from './write-parts.js';

/** Appends a transcript, as JSON of `Utterance`, to the audio's `transcript` stream. `last`: the last known transcript in it. */
export const writeTranscript = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  transcript_id: string,
  last: Chunks | null,
  transcript: PackedParts,
): TE.TaskEither<Failure, Chunks> =>
  writeParts(app, request, `transcript-${audio_id}`, last, transcript, (utterances, place) => ({
    type: 'TranscriptRecorded',
    data: { audio_id, transcript_id, ...place, utterances },
  }));

/**
 * The transcript of an audio with its current speakers, in order.
 */
export const transcriptOf = (
  { store }: Uses<'store'>,
  { audio_id, transcript, changes }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Utterance>> =>
  pipe(
    readParts(store, `transcript-${audio_id}`, transcript),
    TE.map((parts) => {
      const said: Utterance[] = [];
      const speakerOf = speakerIn(changes.transcript);
      for (const { type, data } of parts) {
        for (const { speaker_id: recorded, start, end, text } of type === 'TranscriptRecorded' ? data.utterances : []) {
          const speaker_id = speakerOf(recorded);
          if (speaker_id !== null) said.push({ speaker_id, start, end, text });
        }
      }
      return said;
    }),
  );
