import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { Utterance } from '../../domain/audio/speech.js';
import type { AudioId } from '../../domain/kernel/ids.js';
import type { Application } from '../application.js';
import type { Failure } from '../failures.js';
import type { RequestContext } from '../request-context.js';
import { inParts } from './in-parts.js';
import { writeParts } from './write-parts.js';

/** Writes a transcript to the audio's `transcript` stream, after the one that is known of. */
export const writeTranscript = (
  app: Application,
  request: RequestContext,
  audio_id: AudioId,
  transcript_id: string,
  last: Chunks | null,
  transcript: ReadonlyArray<Utterance>,
): TE.TaskEither<Failure, Chunks> => {
  const parts = inParts(transcript);
  return writeParts(
    app,
    request,
    `transcript-${audio_id}`,
    last,
    parts.map((part, index) => ({
      type: 'TranscriptRecorded',
      data: { audio_id, transcript_id, part: index, parts: parts.length, utterances: part },
    })),
  );
};
