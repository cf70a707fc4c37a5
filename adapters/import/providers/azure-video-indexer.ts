import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type DocumentParts, jsonFormat } from '../document.js';
import type { FaceParts } from '../faces.js';
import type { ImportError } from '../imported.js';
import { errorIn, refuseDuplicates, valueAt } from '../json-document.js';
import { personName } from '../speaker-labels.js';
import type { LabelledTurn, Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { ClockText } from '../times.js';

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
  t.partial({ name: t.union([t.string, t.null]) }),
]);
type Insights = t.TypeOf<typeof Insights>;
type Appearing = t.TypeOf<typeof Appearing>;

const root = 'videos[0].insights';

const facesOf = (faces: ReadonlyArray<Appearing>): E.Either<ImportError, ReadonlyArray<FaceParts>> => {
  const parts: FaceParts[] = [];
  for (const [index, { id, name = '', instances }] of faces.entries()) {
    if (id < 0) return errorIn(`${root}.faces[${index}].id`, `${id} is negative`);
    const backwards = instances.findIndex(({ start, end }) => end < start);
    if (backwards !== -1)
      return errorIn(`${root}.faces[${index}].instances[${backwards}]`, 'the end is before the start');
    parts.push({ key: String(id), id, name: personName(name), visible: [...instances], audible: [] });
  }
  return E.right(parts);
};

const labelOf = (id: number): string => `speaker ${id}`;

const spokenOf = (lines: ReadonlyArray<t.TypeOf<typeof Line>>, dropped: Tally): ReadonlyArray<Spoken> =>
  lines.flatMap(({ text, speakerId, instances }, index) => {
    const [when] = instances;
    if (when === undefined) dropped.add('transcript line without a time');
    const speaker = speakerId === undefined || speakerId < 0 ? null : labelOf(speakerId);
    return when === undefined ? [] : [{ speaker, ...when, text, place: `${root}.transcript[${index}]` }];
  });

const turnsOf = (speakers: ReadonlyArray<Appearing>): ReadonlyArray<LabelledTurn> =>
  speakers.flatMap(({ id, instances }, index) =>
    instances.map(({ start, end }, at) => ({
      speaker: labelOf(id),
      start,
      end,
      place: `${root}.speakers[${index}].instances[${at}]`,
    })),
  );

const convert = ({ faces, speakers, transcript }: Insights, recording: string | null) => {
  const singleFaces = refuseDuplicates(
    faces ?? [],
    ({ id }) => id,
    (index) => `${root}.faces[${index}].id`,
  );
  if (E.isLeft(singleFaces)) return singleFaces;
  const single = refuseDuplicates(
    speakers ?? [],
    ({ id }) => id,
    (index) => `${root}.speakers[${index}].id`,
  );
  if (E.isLeft(single)) return single;
  const dropped = new Tally();
  const seen = facesOf(faces ?? []);
  if (E.isLeft(seen)) return seen;
  const spoken = transcript === undefined ? null : spokenOf(transcript, dropped);
  const names = new Map((speakers ?? []).map(({ id, name = '' }) => [labelOf(id), name]));
  const turns = speakers === undefined ? {} : { turns: turnsOf(speakers) };
  const heard = spoken !== null || speakers !== undefined;
  return E.right<ImportError, DocumentParts>({
    recording,
    rows: (faces ?? []).length + (speakers ?? []).length + (transcript ?? []).length,
    ...(faces === undefined ? {} : { faces: seen.right }),
    ...(heard ? { speech: { grain: 'utterance', spoken, names, ...turns } } : {}),
    dropped,
  });
};

/**
 * Azure AI Video Indexer's insights of one video: faces, speakers and transcript, times as `0:01:02.345`. Names
 * given by users are kept; `Unknown #1` and `Speaker #1` are not names.
 */
export const azureVideoIndexer = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'videos')),
  Index,
  ({ videos, name = null }) => {
    const [video] = videos;
    if (video === undefined || videos.length > 1)
      return errorIn('videos', `${videos.length} videos; only one can be imported at a time`);
    const { state = 'Processed', insights } = video;
    if (state !== 'Processed') return errorIn('videos[0].state', `is ${JSON.stringify(state)}, not "Processed"`);
    return convert(insights, name);
  },
);
