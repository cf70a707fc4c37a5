import { ground } from '../../../domain/grounding/ground.js';
import type { Grounding } from '../../../domain/grounding/ground.js';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import { type PackedTranscript, unpackTranscript } from '../packed-transcript.js';

/** What is grounded, as it goes to another thread. */
export interface PackedGrounding extends Omit<Grounding, 'transcript'> {
  readonly transcript: PackedTranscript;
}

/** What a worker thread runs. */
export default function groundInThread({ transcript, ...rest }: PackedGrounding): ReadonlyArray<ResultRow> {
  return ground({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) });
}
