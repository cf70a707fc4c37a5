import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { AudioId } from '../../domain/kernel/ids.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import type { PackedParts } from './packed-parts.js';
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
