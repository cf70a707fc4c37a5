import type { NameQuestion } from '../../../application/ports/name-model.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import { serveTasks } from '../../runtime/thread-tasks.js';
import { type PackedTranscript, unpackTranscript } from '../packed-transcript.js';
import { loadKnownWords } from './known-words.js';
import { proposeInParts } from './propose-in-parts.js';

/** A question as it is posted to another thread. */
export interface PackedQuestion extends Omit<NameQuestion, 'transcript'> {
  readonly transcript: PackedTranscript;
}

serveTasks({
  work: async ({ transcript, ...rest }: PackedQuestion) =>
    proposeInParts({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) }, await loadKnownWords()),
});
