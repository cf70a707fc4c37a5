import * as t from 'io-ts';
import { IsoDuration, Milliseconds, Ticks } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { refuse } from '../imported.js';
import { decodeDocument, listAt, valueAt } from '../json.js';
import { Tally } from '../tally.js';

const Origin = t.partial({ speaker: t.number, channel: t.number });
/** Times stand there in several notations, which of them depends on the version. */
const Phrase = t.intersection([
  Origin,
  t.partial({
    recognitionStatus: t.string,
    offset: IsoDuration,
    duration: IsoDuration,
    offsetInTicks: Ticks,
    durationInTicks: Ticks,
    offsetMilliseconds: Milliseconds,
    durationMilliseconds: Milliseconds,
    nBest: t.readonlyArray(t.partial({ display: t.string, lexical: t.string })),
  }),
]);
const Batch = t.type({ recognizedPhrases: t.readonlyArray(Phrase) });
const FastPhrase = t.intersection([
  Origin,
  t.type({ offsetMilliseconds: Milliseconds, durationMilliseconds: Milliseconds, text: t.string }),
]);
const Fast = t.type({ phrases: t.readonlyArray(FastPhrase) });

const originOf = ({ speaker, channel }: t.TypeOf<typeof Origin>) => ({
  speaker: speaker === undefined ? null : `speaker ${speaker}`,
  channel,
});

/**
 * Azure's batch transcription: phrases, of whose alternatives the first counts
 * (github.com/Azure-Samples/cognitive-services-speech-sdk, `samples/batch`).
 */
export const azureSpeechBatch: JsonFormat = {
  name: 'azure_speech',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'recognizedPhrases')),
  read: (json) => {
    const { recognizedPhrases: phrases } = decodeDocument(Batch, json);
    const dropped = new Tally();
    const spoken = phrases.flatMap((phrase, index) => {
      const { recognitionStatus: status = 'Success', nBest: [best] = [] } = phrase;
      if (status !== 'Success') {
        dropped.add(`phrase whose recognition failed (${status})`);
        return [];
      }
      const place = `recognizedPhrases[${index}]`;
      const start = phrase.offsetMilliseconds ?? phrase.offsetInTicks ?? phrase.offset;
      const duration = phrase.durationMilliseconds ?? phrase.durationInTicks ?? phrase.duration;
      if (start === undefined || duration === undefined) return refuse(place, 'has no offset and duration');
      return [{ ...originOf(phrase), start, end: start + duration, text: best?.display ?? best?.lexical ?? '', place }];
    });
    return { rows: phrases.length, speech: { grain: 'utterance', spoken }, dropped };
  },
};

/** Azure's fast transcription: phrases, times in milliseconds (learn.microsoft.com, "fast transcription"). */
export const azureSpeechFast: JsonFormat = {
  name: 'azure_speech',
  reads: 'json',
  recognises: (json) =>
    Array.isArray(valueAt(json, 'combinedPhrases')) ||
    listAt(json, 'phrases').some((phrase) => valueAt(phrase, 'offsetMilliseconds') !== undefined),
  read: (json) => {
    const { phrases } = decodeDocument(Fast, json);
    const spoken = phrases.map((phrase, index) => {
      const { offsetMilliseconds: start, durationMilliseconds: duration, text } = phrase;
      return { ...originOf(phrase), start, end: start + duration, text, place: `phrases[${index}]` };
    });
    return { rows: phrases.length, speech: { grain: 'utterance', spoken } };
  },
};
