import * as t from 'io-ts';
import {
  type FaceBox,
  type FaceParts,
  type Interval,
  type LabelledTurn,
  type Spoken,
  type Tally,
  refuse,
} from '../format.js';
import { Sightings } from '../intervals.js';
import { decodeDocument, has, jsonFormat, messagesOf, object } from '../json-format.js';
import { personName } from '../speaker-labels.js';
import { Milliseconds, SecondsText } from '../times.js';

/** A page of a result and its path in the document: empty for a single page, `[2].` in a list. */
interface ResultPage<Page> {
  readonly page: Page;
  readonly path: string;
}

/** What a page says about the result that it belongs to. The last one has no token of the next. */
const Page = t.partial({ JobStatus: t.string, NextToken: t.string, JobId: t.string });

/**
 * The pages of a document, which is one page or a list of pages in any order. Pages of different results are refused;
 * missing pages are noted.
 */
const decodePages = <Content extends t.TypeOf<typeof Page>>(
  codec: t.Decoder<unknown, Content>,
  json: unknown,
  notes: Tally,
): ReadonlyArray<ResultPage<Content>> => {
  const pages = messagesOf(json).map((one, index): ResultPage<Content> => {
    const at = Array.isArray(json) ? `[${index}]` : '';
    return { page: decodeDocument(codec, one, at), path: at === '' ? '' : `${at}.` };
  });
  const tokens = new Set<string>();
  let job: string | null = null;
  let lastPages = 0;
  for (const { page, path } of pages) {
    const { JobStatus = 'SUCCEEDED', JobId = null, NextToken = null } = page;
    if (JobStatus !== 'SUCCEEDED')
      refuse(`${path}JobStatus`, `the job is ${JSON.stringify(JobStatus)}, not "SUCCEEDED"`);
    if (job !== null && JobId !== null && JobId !== job) refuse(`${path}JobId`, 'the pages are of different jobs');
    job ??= JobId;
    if (NextToken === null) lastPages += 1;
    else if (tokens.has(NextToken)) refuse(`${path}NextToken`, 'the same page occurs twice');
    else tokens.add(NextToken);
    if (lastPages > 1) refuse(`${path}NextToken`, 'is missing on two pages, so these are pages of two results');
  }
  if (lastPages === 0) notes.add('page with a NextToken: the pages after it are missing');
  return pages;
};

/** A face that is missing for longer gets a new track. */
const maxGapSeconds = 1;

/** The minimal intersection over union of a face's boxes in consecutive samples. */
const minOverlap = 0.3;

const overlapOf = (a: FaceBox, b: FaceBox): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
};

/** How long one sample lasts: the median distance of two samples, between 0.04 s and 1 s. */
const sampleDuration = (times: ReadonlyArray<number>): number => {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  const median = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(Math.max(median, 0.04), maxGapSeconds);
};

/** The intervals in which a face is visible, from the times of its samples. */
const visibleDuring = (times: ReadonlyArray<number>, step: number): ReadonlyArray<Interval> => {
  const sightings = new Sightings(Math.max(maxGapSeconds, step));
  times.forEach((time) => sightings.add(time));
  return sightings.intervals(0, step);
};

/**
 * Tracks faces through boxes without identity: a box belongs to the face whose last box, at most 1 s before, it overlaps
 * most. Returns the boxes of each face, in order of appearance.
 */
const trackBoxes = (samples: ReadonlyArray<FaceBox>): ReadonlyArray<ReadonlyArray<FaceBox>> => {
  const tracks: { readonly boxes: FaceBox[]; last: FaceBox }[] = [];
  let open: typeof tracks = [];
  for (const box of samples.toSorted((a, b) => a.at - b.at)) {
    open = open.filter(({ last }) => box.at - last.at <= maxGapSeconds + 1e-6);
    const [best] = open
      .filter(({ last }) => last.at < box.at)
      .map((track) => ({ track, overlap: overlapOf(track.last, box) }))
      .filter(({ overlap }) => overlap >= minOverlap)
      .sort((a, b) => b.overlap - a.overlap);
    const track = best?.track ?? { boxes: [], last: box };
    track.boxes.push(box);
    track.last = box;
    if (best !== undefined) continue;
    tracks.push(track);
    open.push(track);
  }
  return tracks.map(({ boxes }) => boxes);
};

const BoundingBox = t.type({ Left: t.number, Top: t.number, Width: t.number, Height: t.number });
const Detection = t.intersection([
  t.type({ Faces: t.readonlyArray(t.type({ Timestamp: Milliseconds, Face: t.type({ BoundingBox }) })) }),
  Page,
]);
const FaceMatch = t.type({ Similarity: t.number, Face: t.partial({ ExternalImageId: t.string }) });
const Person = object(
  { Timestamp: Milliseconds, Person: object({ Index: t.Int }, { Face: t.partial({ BoundingBox }) }) },
  { FaceMatches: t.readonlyArray(FaceMatch) },
);
type Person = t.TypeOf<typeof Person>;
const Search = t.intersection([t.type({ Persons: t.readonlyArray(Person) }), Page]);

const toBox = (at: number, { Left, Top, Width, Height }: t.TypeOf<typeof BoundingBox>): FaceBox => {
  return { at, left: Left, top: Top, width: Width, height: Height };
};

/**
 * Amazon Rekognition Video, `GetFaceDetection`: boxes of faces at times in milliseconds, without identity. Boxes
 * that overlap from one sample to the next are one face; a face that is missing for 1 s becomes a new face
 * (docs.aws.amazon.com/rekognition, "API_GetFaceDetection").
 */
export const rekognitionDetection = jsonFormat({
  name: 'amazon_rekognition_faces',
  paged: true,
  own: ['Faces[]', '[].Faces[]'],
  codec: t.unknown,
  read: (json, { notes }) => {
    const samples = decodePages(Detection, json, notes).flatMap(({ page }) => page.Faces);
    const step = sampleDuration(samples.map(({ Timestamp }) => Timestamp));
    const tracks = trackBoxes(samples.map(({ Timestamp, Face }) => toBox(Timestamp, Face.BoundingBox)));
    const faces = tracks.map((boxes, index): FaceParts => {
      const times = boxes.map(({ at }) => at);
      return { key: String(index).padStart(6, '0'), visible: visibleDuring(times, step), boxes };
    });
    return { rows: samples.length, faces };
  },
});

/** The name in an image id: Jeff Bezos for `Jeff_Bezos.jpg`, none for `image.PNG` and `IMG_0012.jpg`. */
const nameOfImage = (id: string): string | null => {
  const bare = id.replace(/\.(?:jpe?g|png|webp|bmp|gif|tiff?)$/i, '').replaceAll(/[_-]+/g, ' ');
  return /^(?:image|img|photo|picture|screenshot|dsc|frame|untitled|thumbnail)\b/i.test(bare) ? null : personName(bare);
};

/** Each sample votes with its best match's similarity. */
const nameOf = (samples: ReadonlyArray<Person>): string | null => {
  const votes = new Map<string, number>();
  for (const { FaceMatches = [] } of samples) {
    const best = FaceMatches.toSorted((a, b) => b.Similarity - a.Similarity)[0];
    const name = nameOfImage(best?.Face.ExternalImageId ?? '');
    if (best !== undefined && name !== null) votes.set(name, (votes.get(name) ?? 0) + best.Similarity);
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
};

const byPerson = (
  pages: ReadonlyArray<ResultPage<t.TypeOf<typeof Search>>>,
): ReadonlyMap<number, ReadonlyArray<Person>> => {
  const seen = new Map<number, Person[]>();
  const times = new Set<string>();
  for (const { page, path } of pages)
    for (const [index, sample] of page.Persons.entries()) {
      const { Timestamp, Person: person } = sample;
      const key = `${person.Index} ${Timestamp}`;
      const place = `${path}Persons[${index}].Person.Index`;
      if (person.Index < 0) refuse(place, `${person.Index} is negative`);
      if (times.has(key)) refuse(place, `person ${person.Index} occurs twice at ${Timestamp} s`);
      times.add(key);
      const samples = seen.get(person.Index) ?? [];
      samples.push(sample);
      seen.set(person.Index, samples);
    }
  return seen;
};

/**
 * Amazon Rekognition Video, `GetFaceSearch` (and `GetPersonTracking`): people by index at times in milliseconds,
 * with matching faces of a collection. The `ExternalImageId` of a match is the name, unless it is a file name
 * (docs.aws.amazon.com/rekognition, "API_GetFaceSearch").
 */
export const rekognitionSearch = jsonFormat({
  name: 'amazon_rekognition_search',
  paged: true,
  own: ['Persons[]', '[].Persons[]'],
  codec: t.unknown,
  read: (json, { notes }) => {
    const pages = decodePages(Search, json, notes);
    const people = byPerson(pages);
    const rows = pages.flatMap(({ page }) => page.Persons);
    const step = sampleDuration(rows.map(({ Timestamp }) => Timestamp));
    const faces = [...people].map(([id, samples]): FaceParts => {
      const times = samples.map(({ Timestamp }) => Timestamp);
      const boxes = samples.flatMap(({ Timestamp, Person: { Face } }) =>
        Face?.BoundingBox === undefined ? [] : [toBox(Timestamp, Face.BoundingBox)],
      );
      return { key: String(id), id, name: nameOf(samples), visible: visibleDuring(times, step), boxes };
    });
    return { rows: rows.length, faces };
  },
});

const Item = object(
  {
    type: t.keyof({ pronunciation: null, punctuation: null }, 'pronunciation or punctuation'),
    alternatives: t.readonlyArray(t.type({ content: t.string })),
  },
  { start_time: SecondsText, end_time: SecondsText, speaker_label: t.string, channel_label: t.string },
);
const LabelledItem = t.type({ start_time: SecondsText, end_time: SecondsText, speaker_label: t.string });
const SpeakerSegment = object(
  { start_time: SecondsText, end_time: SecondsText },
  { speaker_label: t.string, items: t.readonlyArray(LabelledItem) },
);
type SpeakerSegments = ReadonlyArray<t.TypeOf<typeof SpeakerSegment>>;
/** Items are decoded one by one: decoded ones are copies, and a document has many. */
const Items = t.readonlyArray(t.unknown, 'a list');
const Channel = t.type({ channel_label: t.string, items: Items });
const Results = object(
  { items: Items },
  {
    speaker_labels: t.partial({ segments: t.readonlyArray(SpeakerSegment) }),
    channel_labels: t.partial({ channels: t.readonlyArray(Channel) }),
  },
);

interface Origin {
  readonly channel?: string;
  /** The speaker labels by the start of a word: older jobs have them only in the segments. */
  readonly labels: ReadonlyMap<number, string>;
}

/** Words and punctuation at a path. Punctuation has no time: it gets that of the previous word. */
const wordsOf = (items: t.TypeOf<typeof Items>, path: string, { channel, labels }: Origin, dropped: Tally) => {
  const spoken: Spoken[] = [];
  for (const [index, json] of items.entries()) {
    const item = decodeDocument(Item, json, `${path}[${index}]`);
    const text = item.alternatives[0]?.content ?? '';
    const last = spoken.at(-1);
    if (item.type === 'punctuation') {
      if (last === undefined) dropped.add('punctuation before the first word');
      else spoken.push({ ...last, start: last.end, text, glued: true });
      continue;
    }
    const start = item.start_time ?? refuse(`${path}[${index}].start_time`, 'is missing');
    const end = item.end_time ?? refuse(`${path}[${index}].end_time`, 'is missing');
    const speaker = item.speaker_label ?? labels.get(start) ?? null;
    spoken.push({ speaker, channel: channel ?? item.channel_label, start, end, text, glued: false, place: path });
  }
  return spoken;
};

const turnsOf = (segments: SpeakerSegments, dropped: Tally): ReadonlyArray<LabelledTurn> =>
  segments.flatMap(({ start_time: start, end_time: end, speaker_label: speaker = '' }, index) => {
    if (speaker === '') dropped.add('segment without a speaker label');
    return speaker === '' ? [] : [{ speaker, start, end, place: `results.speaker_labels.segments[${index}]` }];
  });

const labelsByTime = (segments: SpeakerSegments): ReadonlyMap<number, string> =>
  new Map(
    segments.flatMap(({ items = [] }) =>
      items.map(({ start_time, speaker_label }): [number, string] => [start_time, speaker_label]),
    ),
  );

/**
 * Amazon Transcribe's batch output, by speaker labels or by channels; times in seconds, as strings
 * (docs.aws.amazon.com/transcribe, "How it works: output").
 */
export const amazonTranscribe = jsonFormat({
  name: 'amazon_transcribe',
  recognises: (json) => has(json, 'results.items[]', 'results.transcripts'),
  codec: object({ results: Results }, { jobName: t.string }),
  done: ['status', 'COMPLETED'],
  read: ({ results, jobName }, { dropped }) => {
    const { items, speaker_labels: { segments = [] } = {}, channel_labels: { channels = [] } = {} } = results;
    const labels = labelsByTime(segments);
    const words =
      channels.length === 0 || segments.length > 0
        ? wordsOf(items, 'results.items', { labels }, dropped)
        : channels.flatMap(({ channel_label: channel, items: heard }, index) =>
            wordsOf(heard, `results.channel_labels.channels[${index}].items`, { channel, labels }, dropped),
          );
    return { recording: jobName, rows: items.length, words, turns: turnsOf(segments, dropped) };
  },
});
