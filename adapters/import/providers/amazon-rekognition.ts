import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type Box, trackBoxes, sampleDuration, visibleDuring } from '../box-tracks.js';
import type { DocumentParts } from '../document.js';
import type { FaceParts } from '../faces.js';
import type { ImportError } from '../imported.js';
import { errorIn, valueAt } from '../json-document.js';
import { pagedFormat, type ResultPage } from '../result-pages.js';
import { personName } from '../speaker-labels.js';
import { Milliseconds } from '../times.js';

const BoundingBox = t.type({ Left: t.number, Top: t.number, Width: t.number, Height: t.number });
const Page = t.partial({ JobStatus: t.string, NextToken: t.union([t.string, t.null]), JobId: t.string });
const Detection = t.intersection([
  t.type({
    Faces: t.readonlyArray(t.type({ Timestamp: Milliseconds, Face: t.type({ BoundingBox }) })),
  }),
  Page,
]);
const FaceMatch = t.type({ Similarity: t.number, Face: t.partial({ ExternalImageId: t.string }) });
const Person = t.intersection([
  t.type({ Timestamp: Milliseconds, Person: t.type({ Index: t.Int }) }),
  t.partial({ FaceMatches: t.readonlyArray(FaceMatch) }),
]);
const Search = t.intersection([t.type({ Persons: t.readonlyArray(Person) }), Page]);

const succeeded = <Page extends t.TypeOf<typeof Page>>({ page, path }: ResultPage<Page>): E.Either<ImportError, void> =>
  page.JobStatus === undefined || page.JobStatus === 'SUCCEEDED'
    ? E.right(undefined)
    : errorIn(`${path}JobStatus`, `the job is ${JSON.stringify(page.JobStatus)}, not "SUCCEEDED"`);

const paging = {
  jobOf: ({ JobId }: t.TypeOf<typeof Page>) => JobId ?? null,
  nextOf: ({ NextToken }: t.TypeOf<typeof Page>) => NextToken ?? null,
  check: succeeded,
};

const toBox = ({ Left, Top, Width, Height }: t.TypeOf<typeof BoundingBox>): Box => {
  return { left: Left, top: Top, width: Width, height: Height };
};

/**
 * Amazon Rekognition Video, `GetFaceDetection`: boxes of faces at times in milliseconds, without identity. Boxes
 * that overlap from one sample to the next are one face; a face that is missing for 1 s becomes a new face.
 */
export const rekognitionDetection = pagedFormat(
  (page) => Array.isArray(valueAt(page, 'Faces')),
  Detection,
  paging,
  (pages) => {
    const Faces = pages.flatMap(({ page }) => page.Faces);
    const step = sampleDuration(Faces.map(({ Timestamp }) => Timestamp));
    const tracks = trackBoxes(Faces.map(({ Timestamp: at, Face }) => ({ at, box: toBox(Face.BoundingBox) })));
    const faces = tracks.map((times, index): FaceParts => {
      return { key: String(index).padStart(6, '0'), visible: visibleDuring(times, step), audible: [] };
    });
    return E.right<ImportError, DocumentParts>({ rows: Faces.length, faces });
  },
);

/** The name in an image id: Jeff Bezos for `Jeff_Bezos.jpg`, none for `image.PNG` and `IMG_0012.jpg`. */
const nameOfImage = (id: string): string | null => {
  const bare = id.replace(/\.(?:jpe?g|png|webp|bmp|gif|tiff?)$/i, '').replaceAll(/[_-]+/g, ' ');
  return /^(?:image|img|photo|picture|screenshot|dsc|frame|untitled|thumbnail)\b/i.test(bare) ? null : personName(bare);
};

type Samples = ReadonlyArray<t.TypeOf<typeof Person>>;

/** Each sample votes with its best match's similarity. */
const nameOf = (samples: Samples): string | null => {
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
): E.Either<ImportError, ReadonlyMap<number, Samples>> => {
  const seen = new Map<number, Samples[number][]>();
  const times = new Set<string>();
  for (const { page, path } of pages)
    for (const [index, sample] of page.Persons.entries()) {
      const { Timestamp, Person } = sample;
      const key = `${Person.Index} ${Timestamp}`;
      const place = `${path}Persons[${index}].Person.Index`;
      if (Person.Index < 0) return errorIn(place, `${Person.Index} is negative`);
      if (times.has(key)) return errorIn(place, `person ${Person.Index} occurs twice at ${Timestamp} s`);
      times.add(key);
      const samples = seen.get(Person.Index) ?? [];
      samples.push(sample);
      seen.set(Person.Index, samples);
    }
  return E.right(seen);
};

/**
 * Amazon Rekognition Video, `GetFaceSearch` (and `GetPersonTracking`): people by index at times in milliseconds,
 * with matching faces of a collection. The `ExternalImageId` of a match is the name, unless it is a file name.
 */
export const rekognitionSearch = pagedFormat(
  (page) => Array.isArray(valueAt(page, 'Persons')),
  Search,
  paging,
  (pages) => {
    const people = byPerson(pages);
    if (E.isLeft(people)) return people;
    const Persons = pages.flatMap(({ page }) => page.Persons);
    const step = sampleDuration(Persons.map(({ Timestamp }) => Timestamp));
    const faces = [...people.right].map(([id, samples]): FaceParts => {
      const times = samples.map(({ Timestamp }) => Timestamp);
      return { key: String(id), id, name: nameOf(samples), visible: visibleDuring(times, step), audible: [] };
    });
    return E.right<ImportError, DocumentParts>({ rows: Persons.length, faces });
  },
);
