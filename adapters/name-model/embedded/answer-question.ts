import type { NameAnswer, NameQuestion } from '../../../application/ports/name-model.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import { type PackedTranscript, unpackTranscript } from '../packed-transcript.js';
import { loadKnownNames } from './known-names.js';
import { propose } from './propose.js';

/** A question as it goes to another thread. */
export interface PackedQuestion extends Omit<NameQuestion, 'transcript'> {
  readonly transcript: PackedTranscript;
}

const knownNames = loadKnownNames();

/** What a worker thread runs. */
export default async function answerQuestion({ transcript, ...rest }: PackedQuestion): Promise<NameAnswer> {
  return propose({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) }, await knownNames);
}
