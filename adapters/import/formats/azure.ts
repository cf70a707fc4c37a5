import * as t from 'io-ts';
import { refuse } from '../format.js';
import { jsonFormat, listFormat, listed, numberedSpeaker, object, refuseDuplicates } from '../json-format.js';
import { personName } from '../speaker-labels.js';
import { ClockText, IsoDuration, Milliseconds, Ticks } from '../times.js';

/** Times stand there in several notations, which of them depends on the version. */
const Phrase = t.partial({
  speaker: t.number,
  channel: t.number,
  recognitionStatus: t.string,
  offset: IsoDuration,
  duration: IsoDuration,
  offsetInTicks: Ticks,
  durationInTicks: Ticks,
  offsetMilliseconds: Milliseconds,
  durationMilliseconds: Milliseconds,
  nBest: t.readonlyArray(t.partial({ display: t.string, lexical: t.string })),
});

/**
 * Azure's batch transcription: phrases, of whose alternatives the first counts
 * (github.com/Azure-Samples/cognitive-services-speech-sdk, `samples/batch`).
 */
export const azureSpeechBatch = listFormat({
  name: 'azure_speech',
  list: 'recognizedPhrases',
  element: Phrase,
  pieces: 'utterances',
  read: ({ recognitionStatus: status = 'Success', nBest = [], channel, ...phrase }, dropped, place) => {
    if (status !== 'Success') {
      dropped.add(`phrase whose recognition failed (${status})`);
      return [];
    }
    const start = phrase.offsetMilliseconds ?? phrase.offsetInTicks ?? phrase.offset;
    const duration = phrase.durationMilliseconds ?? phrase.durationInTicks ?? phrase.duration;
    if (start === undefined || duration === undefined) return refuse(place, 'has no offset and duration');
    const text = nBest[0]?.display ?? nBest[0]?.lexical ?? '';
    return { speaker: numberedSpeaker(phrase.speaker), channel, start, end: start + duration, text };
  },
});

const Instances = t.readonlyArray(t.type({ start: ClockText, end: ClockText }));
const Appearing = object({ id: t.Int, instances: Instances }, { name: t.string });
const Line = object({ text: t.string, instances: Instances }, { speakerId: t.Int });
const Insights = t.partial({
  faces: t.readonlyArray(Appearing),
  speakers: t.readonlyArray(Appearing),
  transcript: t.readonlyArray(Line),
});
const Video = object({ insights: Insights }, { state: t.string });

const root = 'videos[0].insights';

/**
 * Azure AI Video Indexer's insights of one video: faces, speakers and transcript, times as `0:01:02.345`. Names
 * given by users are kept; `Unknown #1` and `Speaker #1` are not names (learn.microsoft.com,
 * "video-indexer-output-json-v2").
 */
export const azureVideoIndexer = jsonFormat({
  name: 'azure_video_indexer',
  own: ['videos[].insights', 'videos[].state'],
  codec: object({ videos: t.readonlyArray(Video) }, { name: t.string }),
  read: ({ videos, name: recording }, { dropped }) => {
    const [video] = videos;
    if (video === undefined || videos.length > 1)
      return refuse('videos', `${videos.length} videos; only one can be imported at a time`);
    const { state = 'Processed', insights } = video;
    if (state !== 'Processed') refuse('videos[0].state', `is ${JSON.stringify(state)}, not "Processed"`);
    const { faces = [], speakers = [], transcript = [] } = insights;
    refuseDuplicates(`${root}.faces`, faces, 'id');
    refuseDuplicates(`${root}.speakers`, speakers, 'id');
    return {
      recording,
      rows: faces.length + speakers.length + transcript.length,
      faces: faces.map(({ id, name = '', instances: visible }, index) => {
        if (id < 0) refuse(`${root}.faces[${index}].id`, `${id} is negative`);
        return { key: String(id), id, name: personName(name), visible };
      }),
      utterances: transcript.flatMap(({ text, speakerId, instances: [when] }, index) => {
        if (when === undefined) dropped.add('transcript line without a time');
        const speaker = numberedSpeaker(speakerId === undefined || speakerId < 0 ? undefined : speakerId);
        return when === undefined ? [] : [{ speaker, ...when, text, place: `${root}.transcript[${index}]` }];
      }),
      turns: speakers.flatMap(({ id, instances }, index) =>
        listed(`${root}.speakers[${index}].instances`, instances, ({ start, end }, place) => {
          return { speaker: `speaker ${id}`, start, end, place };
        }),
      ),
      names: new Map(speakers.map(({ id, name = '' }) => [`speaker ${id}`, name])),
    };
  },
});
