import * as t from 'io-ts';
import type { FaceParts } from '../face-parts.js';
import { ClockText } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { refuse } from '../imported.js';
import { decodeDocument, refuseDuplicates, valueAt } from '../json.js';
import { personName } from '../speaker-labels.js';
import type { LabelledTurn, Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

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
