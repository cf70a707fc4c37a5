import * as t from 'io-ts';
import type { FaceParts } from '../face-parts.js';
import { ProtoDuration } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { inBothNamings } from '../google-names.js';
import { type FaceBox, refuse } from '../imported.js';
import { decodeDocument, valueAt } from '../json.js';

const Segment = t.type({ startTimeOffset: ProtoDuration, endTimeOffset: ProtoDuration });
/** A side that is absent is at 0, as in all Protobuf JSON. */
const Sides = t.partial({ left: t.number, top: t.number, right: t.number, bottom: t.number });
const Seen = t.intersection([t.type({ timeOffset: ProtoDuration }), t.partial({ normalizedBoundingBox: Sides })]);
const Track = t.intersection([t.type({ segment: Segment }), t.partial({ timestampedObjects: t.readonlyArray(Seen) })]);
const Annotation = t.partial({ tracks: t.readonlyArray(Track) });
const Result = t.partial({
  inputUri: t.string,
  faceDetectionAnnotations: t.readonlyArray(Annotation),
  error: t.partial({ message: t.string }),
});
const Response = t.type({ annotationResults: t.readonlyArray(Result) });

const boxesOf = ({ timestampedObjects = [] }: t.TypeOf<typeof Track>): ReadonlyArray<FaceBox> =>
  timestampedObjects.flatMap(({ timeOffset, normalizedBoundingBox }) => {
    if (normalizedBoundingBox === undefined) return [];
    const { left = 0, top = 0, right = 0, bottom = 0 } = normalizedBoundingBox;
    return [{ at: timeOffset, left, top, width: right - left, height: bottom - top }];
  });

const readResponse = (path: string, json: unknown) => {
  const { annotationResults } = decodeDocument(Response, json, path.slice(0, -1));
  const uris = new Set(annotationResults.flatMap(({ inputUri }) => inputUri ?? []));
  if (uris.size > 1) refuse(`${path}annotationResults`, 'the results are of more than one video');
  for (const [at, { error }] of annotationResults.entries())
    if (error?.message !== undefined && error.message !== '')
      refuse(`${path}annotationResults[${at}].error`, `Google refused the video: ${error.message}`);
  const annotations = annotationResults.flatMap(({ faceDetectionAnnotations = [] }) => faceDetectionAnnotations);
  const faces = annotations.map(({ tracks = [] }, index): FaceParts => {
    const visible = tracks.map(({ segment }) => ({ start: segment.startTimeOffset, end: segment.endTimeOffset }));
    return { key: String(index).padStart(6, '0'), visible, boxes: tracks.flatMap(boxesOf) };
  });
  return { recording: [...uris][0], rows: faces.length, faces };
};

/**
 * Google Video Intelligence, `FACE_DETECTION`: each annotation is a face with its tracks, times as `"12.900s"`; as a
 * response or inside a finished operation (cloud.google.com/video-intelligence, "Face detection").
 */
export const googleVideoFaces: JsonFormat = {
  name: 'google_video_faces',
  reads: 'json',
  recognises: (json) =>
    [json, valueAt(json, 'response')].some(
      (response) =>
        Array.isArray(valueAt(response, 'annotationResults')) || Array.isArray(valueAt(response, 'annotation_results')),
    ),
  read: (document) =>
    inBothNamings(document, (json) => {
      const response = valueAt(json, 'response');
      return response === undefined ? readResponse('', json) : readResponse('response.', response);
    }),
};
