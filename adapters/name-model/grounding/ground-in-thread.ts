import { ground } from '../../../domain/grounding/ground.js';
import type { Grounding } from '../../../domain/grounding/ground.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import { serveTasks } from '../../runtime/thread-tasks.js';
import { type PackedTranscript, unpackTranscript } from '../packed-transcript.js';

/** The input of grounding, as it is posted to another thread. */
export interface PackedGrounding extends Omit<Grounding, 'transcript'> {
  readonly transcript: PackedTranscript;
}

serveTasks({
  work: ({ transcript, ...rest }: PackedGrounding) =>
    ground({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) }),
});
