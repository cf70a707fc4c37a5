import * as t from 'io-ts';
import {
  IsoDuration,
  Milliseconds,
  Ticks,
  decodeDocument,
  listAt,
  valueAt,
  ClockText,
  refuseDuplicates,
} from '../json.js';
import { type JsonFormat, Tally, refuse, type FaceParts, type LabelledTurn, type Spoken } from '../format.js';
import { personName } from '../speaker-labels.js';

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

const Instances = t.readonlyArray(t.type({ start: ClockText, end: ClockText }));
const Appearing = t.intersection([t.type({ id: t.Int, instances: Instances }), t.partial({ name: t.string })]);
const Line = t.intersection([t.type({ text: t.string, instances: Instances }), t.partial({ speakerId: t.Int })]);
const Insights = t.partial({
  faces: t.readonlyArray(Appearing),
  speakers: t.readonlyArray(Appearing),
  transcript: t.readonlyArray(Line),
});
const Index = t.intersection([
  t.type({ videos: t.readonlyArray(t.intersection([t.type({ insights: Insights }), t.partial({ state: t.string })])) }),
  t.partial({ name: t.string }),
]);
type Appearing = ReadonlyArray<t.TypeOf<typeof Appearing>>;

const root = 'videos[0].insights';

const facesOf = (faces: Appearing): ReadonlyArray<FaceParts> =>
  faces.map(({ id, name = '', instances }, index) => {
    if (id < 0) refuse(`${root}.faces[${index}].id`, `${id} is negative`);
    return { key: String(id), id, name: personName(name), visible: instances };
  });

const labelOf = (id: number): string => `speaker ${id}`;

const spokenOf = (lines: ReadonlyArray<t.TypeOf<typeof Line>>, dropped: Tally): ReadonlyArray<Spoken> =>
  lines.flatMap(({ text, speakerId = -1, instances }, index) => {
    const [when] = instances;
    if (when === undefined) dropped.add('transcript line without a time');
    const speaker = speakerId < 0 ? null : labelOf(speakerId);
    return when === undefined ? [] : [{ speaker, ...when, text, place: `${root}.transcript[${index}]` }];
  });

const turnsOf = (speakers: Appearing): ReadonlyArray<LabelledTurn> =>
  speakers.flatMap(({ id, instances }, index) =>
    instances.map((when, at) => ({
      ...when,
      speaker: labelOf(id),
      place: `${root}.speakers[${index}].instances[${at}]`,
    })),
  );

const singleIds = (list: Appearing, name: string): void =>
  refuseDuplicates(
    list,
    ({ id }) => id,
    (index) => `${root}.${name}[${index}].id`,
  );

/**
 * Azure AI Video Indexer's insights of one video: faces, speakers and transcript, times as `0:01:02.345`. Names
 * given by users are kept; `Unknown #1` and `Speaker #1` are not names (learn.microsoft.com,
 * "video-indexer-output-json-v2").
 */
export const azureVideoIndexer: JsonFormat = {
  name: 'azure_video_indexer',
  reads: 'json',
  recognises: (json) =>
    valueAt(json, 'videos', 0, 'insights') !== undefined || valueAt(json, 'videos', 0, 'state') !== undefined,
  read: (json) => {
    const { videos, name } = decodeDocument(Index, json);
    const [video] = videos;
    if (video === undefined || videos.length > 1)
      return refuse('videos', `${videos.length} videos; only one can be imported at a time`);
    const { state = 'Processed', insights } = video;
    if (state !== 'Processed') refuse('videos[0].state', `is ${JSON.stringify(state)}, not "Processed"`);
    const { faces = [], speakers = [], transcript = [] } = insights;
    singleIds(faces, 'faces');
    singleIds(speakers, 'speakers');
    const dropped = new Tally();
    return {
      recording: name,
      rows: faces.length + speakers.length + transcript.length,
      faces: facesOf(faces),
      speech: {
        grain: 'utterance',
        spoken: spokenOf(transcript, dropped),
        turns: turnsOf(speakers),
        names: new Map(speakers.map((speaker) => [labelOf(speaker.id), speaker.name ?? ''])),
      },
      dropped,
    };
  },
};
