import * as t from 'io-ts';
import { sampleDuration, trackBoxes, visibleDuring } from '../box-tracks.js';
import type { FaceParts } from '../face-parts.js';
import { Milliseconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { type FaceBox, refuse } from '../imported.js';
import { valueAt } from '../json.js';
import { decodePages, type ResultPage, somePage } from '../result-pages.js';
import { personName } from '../speaker-labels.js';

const BoundingBox = t.type({ Left: t.number, Top: t.number, Width: t.number, Height: t.number });
const Page = t.partial({ JobStatus: t.string, NextToken: t.string, JobId: t.string });
const Detection = t.intersection([
  t.type({ Faces: t.readonlyArray(t.type({ Timestamp: Milliseconds, Face: t.type({ BoundingBox }) })) }),
  Page,
]);
const FaceMatch = t.type({ Similarity: t.number, Face: t.partial({ ExternalImageId: t.string }) });
const Box = t.partial({ BoundingBox });
const Person = t.intersection([
  t.type({
    Timestamp: Milliseconds,
    Person: t.intersection([t.type({ Index: t.Int }), t.partial({ Face: Box })]),
  }),
  t.partial({ FaceMatches: t.readonlyArray(FaceMatch) }),
]);
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
export const rekognitionDetection: JsonFormat = {
  name: 'amazon_rekognition_faces',
  reads: 'json',
  paged: true,
  recognises: somePage((page) => Array.isArray(valueAt(page, 'Faces'))),
  read: (json) => {
    const { pages, notes } = decodePages(Detection, json);
    const samples = pages.flatMap(({ page }) => page.Faces);
    const step = sampleDuration(samples.map(({ Timestamp }) => Timestamp));
    const tracks = trackBoxes(samples.map(({ Timestamp, Face }) => toBox(Timestamp, Face.BoundingBox)));
    const faces = tracks.map((boxes, index): FaceParts => {
      const visible = visibleDuring(
        boxes.map(({ at }) => at),
        step,
      );
      return { key: String(index).padStart(6, '0'), visible, boxes };
    });
    return { rows: samples.length, faces, notes };
  },
};

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
export const rekognitionSearch: JsonFormat = {
  name: 'amazon_rekognition_search',
  reads: 'json',
  paged: true,
  recognises: somePage((page) => Array.isArray(valueAt(page, 'Persons'))),
  read: (json) => {
    const { pages, notes } = decodePages(Search, json);
    const people = byPerson(pages);
    const rows = pages.flatMap(({ page }) => page.Persons);
    const step = sampleDuration(rows.map(({ Timestamp }) => Timestamp));
    const faces = [...people].map(([id, samples]): FaceParts => {
      const visible = visibleDuring(
        samples.map(({ Timestamp }) => Timestamp),
        step,
      );
      const boxes = samples.flatMap(({ Timestamp, Person: { Face } }) =>
        Face?.BoundingBox === undefined ? [] : [toBox(Timestamp, Face.BoundingBox)],
      );
      return { key: String(id), id, name: nameOf(samples), visible, boxes };
    });
    return { rows: rows.length, faces, notes };
  },
};
