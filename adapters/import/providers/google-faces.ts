import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type DocumentParts, jsonFormat } from '../document.js';
import type { FaceParts } from '../faces.js';
import type { ImportError } from '../imported.js';
import { errorIn, valueAt } from '../json-document.js';
import { inBothNamings } from '../google-names.js';
import { ProtoDuration } from '../times.js';

const Segment = t.type({ startTimeOffset: ProtoDuration, endTimeOffset: ProtoDuration });
const Annotation = t.partial({ tracks: t.readonlyArray(t.type({ segment: Segment })) });
const Result = t.partial({
  inputUri: t.string,
  faceDetectionAnnotations: t.readonlyArray(Annotation),
  error: t.union([t.partial({ message: t.string }), t.null]),
});
const Response = t.type({ annotationResults: t.readonlyArray(Result) });

const read =
  (path: string) =>
  ({ annotationResults }: t.TypeOf<typeof Response>) => {
    const uris = new Set(annotationResults.flatMap(({ inputUri }) => inputUri ?? []));
    if (uris.size > 1) return errorIn(`${path}annotationResults`, 'the results are of more than one video');
    const faces: FaceParts[] = [];
    for (const [at, { faceDetectionAnnotations = [], error }] of annotationResults.entries()) {
      if (error?.message !== undefined && error.message !== '')
        return errorIn(`${path}annotationResults[${at}].error`, `Google refused the video: ${error.message}`);
      for (const [index, { tracks = [] }] of faceDetectionAnnotations.entries()) {
        const backwards = tracks.findIndex(({ segment }) => segment.endTimeOffset < segment.startTimeOffset);
        const place = `${path}annotationResults[${at}].faceDetectionAnnotations[${index}]`;
        if (backwards !== -1) return errorIn(`${place}.tracks[${backwards}].segment`, 'the end is before the start');
        const visible = tracks.map(({ segment }) => ({ start: segment.startTimeOffset, end: segment.endTimeOffset }));
        if (visible.length > 0) faces.push({ key: String(faces.length).padStart(6, '0'), visible, audible: [] });
      }
    }
    return E.right<ImportError, DocumentParts>({ recording: [...uris][0] ?? null, rows: faces.length, faces });
  };

/**
 * Google Video Intelligence, `FACE_DETECTION`: each annotation is a face with its tracks, times as `"12.900s"`.
 */
export const googleFaces = inBothNamings(
  jsonFormat((json) => Array.isArray(valueAt(json, 'annotationResults')), Response, read('')),
  (json) => valueAt(json, 'annotation_results') !== undefined,
);

/** Google Video Intelligence's response to `FACE_DETECTION` inside a finished operation. */
export const googleFacesOperation = inBothNamings(
  jsonFormat(
    (json) => Array.isArray(valueAt(json, 'response', 'annotationResults')),
    t.type({ response: Response }, 'GoogleOperation'),
    ({ response }) => read('response.')(response),
  ),
  (json) => valueAt(json, 'response', 'annotation_results') !== undefined,
);
