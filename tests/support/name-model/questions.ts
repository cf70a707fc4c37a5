import type { NameQuestion } from '../../../application/ports/name-model.js';
import type { Utterance } from '../../../domain/audio/events.js';
import { speakerId } from '../values.js';

/** `[speaker, text]`, a second each. */
export const transcriptOf = (...said: ReadonlyArray<readonly [number, string]>): ReadonlyArray<Utterance> =>
  said.map(([speaker, text], index) => ({ speaker_id: speakerId(speaker), text, start: index, end: index + 1 }));

const speakers = [
  { speaker_id: speakerId(0), name: null },
  { speaker_id: speakerId(1), name: 'Ines <the host>' },
];

/** The question who speakers 0 and 1 of this transcript are. */
export const questionAbout = (transcript: ReadonlyArray<Utterance>, inferRoles = false): NameQuestion => ({
  transcript,
  speakers,
  target_speaker_ids: speakers.map(({ speaker_id }) => speaker_id),
  infer_roles: inferRoles,
});

/** Utterances of two speakers in turn, each with a unique word. */
export const longTranscript = (utterances: number): ReadonlyArray<Utterance> =>
  transcriptOf(
    ...Array.from({ length: utterances }, (_, index): readonly [number, string] => [
      index % 2,
      `well this is what was said as number w${index}w today`,
    ]),
  );
