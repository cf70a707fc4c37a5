import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../../../application/failures.js';
import type { EvidenceLists, FaceEvidence } from '../../../application/evidence/evidence-lists.js';
import {
  type EvidencePage,
  type EvidenceSource,
  type Found,
  evidencePage,
} from '../../../application/evidence/evidence-page.js';
import type { Evidence } from '../../../application/evidence/part-reader.js';
import type { Caption, TalkingScore } from '../../../domain/video/face-tracks.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import type { Refused } from '../declared.js';
import { FaceTracksPage, SegmentPage, TranscriptPage } from '../answers/media.js';
import { withoutBody } from '../declare-endpoint.js';
import type { Answer, Call, Endpoint } from '../endpoint.js';
import { evidenceParameters } from '../parameters.js';
import { evidenceCursor, readEvidenceQuery } from '../evidence-query.js';
import type { BadQuery } from '../query.js';
import { type Gone, readInPlace } from '../reading-places.js';
import type { InvalidCursor } from '../../../projections/queries.js';
import { type Service, audio, video } from '../service.js';

type Unread = BadQuery | InvalidCursor | Failure | Gone;

const empty = { found: [], next: null };

/** A page of evidence as `show` gives it, with the cursor of the next one. */
const answer = <Item extends Evidence, Shown>(
  call: Call,
  subjectName: string,
  source: EvidenceSource<Item> | null,
  show: (found: ReadonlyArray<Found<Item>>) => Shown,
): TE.TaskEither<Unread, Answer<Shown & { readonly next_cursor: string | null }>> => {
  const { query, seal } = call;
  const first_revision = source?.chunks.first_revision ?? null;
  return pipe(
    readEvidenceQuery(query, subjectName, first_revision),
    TE.fromEither,
    TE.chainW(({ wanted, place }) =>
      pipe(
        source === null
          ? TE.right<never, EvidencePage<Item>>(empty)
          : readInPlace(call, evidencePage(source, wanted, place)),
        TE.map(({ found, next }) => ({
          ...show(found),
          next_cursor: seal(next && evidenceCursor(next, first_revision)),
        })),
      ),
    ),
    TE.map((body) => ({ body })),
  );
};

interface ShownFace {
  readonly face_id: number;
  readonly tracks: Array<Interval>;
  readonly talking: Array<TalkingScore>;
  readonly captions: Array<Caption>;
}

/** Intervals of one face that follow each other are shown together. */
const facesOf = (found: ReadonlyArray<Found<FaceEvidence>>): ReadonlyArray<ShownFace> => {
  const faces: Array<ShownFace> = [];
  for (const { subject, item } of found) {
    const last = faces.at(-1);
    const face = last?.face_id === subject ? last : { face_id: subject, tracks: [], talking: [], captions: [] };
    if (face !== last) faces.push(face);
    if (item.kind === 'tracks') face.tracks.push(item.value);
    else if (item.kind === 'talking') face.talking.push(item.value);
    else face.captions.push(item.value);
  }
  return faces;
};

const tracks = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    { operation: 'videos.tracks', answer: FaceTracksPage, query: evidenceParameters('face_id') },
    video(service, 'owner_or_worker'),
    (call, state) =>
      answer(call, 'face_id', lists.tracks(state), (found) => ({
        faces: facesOf(found),
      })),
  );

const segments = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    { operation: 'audios.segments', answer: SegmentPage, query: evidenceParameters('speaker_id') },
    audio(service, 'owner_or_worker_or_media_write'),
    (call, state) =>
      answer(call, 'speaker_id', lists.segments(state), (found) => ({
        segments: found.map(({ subject, item: { start, end } }) => ({ speaker_id: subject, start, end })),
      })),
  );

const transcript = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    {
      operation: 'audios.transcript',
      answer: TranscriptPage,
      refuses: ['NoTranscript'],
      query: evidenceParameters('speaker_id'),
    },
    audio(service, 'owner_or_worker_or_media_write'),
    (call, state): TE.TaskEither<Refused<'NoTranscript'> | Unread, Answer<t.TypeOf<typeof TranscriptPage>>> => {
      const source = lists.transcript(state);
      if (source === null) return TE.left({ _tag: 'NoTranscript' });
      return answer(call, 'speaker_id', source, (found) => ({
        transcript: found.map(({ index, subject, item: { start, end, text } }) => ({
          index,
          speaker_id: subject,
          start,
          end,
          text,
        })),
      }));
    },
  );

/** What was seen and heard, as people may read it back. */
export const evidenceEndpoints = (service: Service, lists: EvidenceLists): ReadonlyArray<Endpoint> => [
  tracks(service, lists),
  segments(service, lists),
  transcript(service, lists),
];
