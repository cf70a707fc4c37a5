import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EvidenceLists, FaceEvidence } from '../../../application/evidence/evidence-lists.js';
import {
  type EvidencePage,
  type EvidenceSource,
  type Found,
  evidencePage,
} from '../../../application/evidence/evidence-page.js';
import type { Evidence } from '../../../application/evidence/part-reader.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import { type Answer, type Call, type Endpoint, ok, withoutBody } from '../endpoint.js';
import { evidenceCursor, evidenceParameters, readEvidenceQuery } from '../evidence-query.js';
import { readInPlace } from '../reading-places.js';
import type { Refusal } from '../refusals.js';
import { type Service, audio, video } from '../service.js';

const empty = { found: [], next: null };

/** A page of evidence as `show` gives it, with the cursor of the next one. */
const answer = <Item extends Evidence>(
  call: Call,
  subjectName: string,
  source: EvidenceSource<Item> | null,
  show: (found: ReadonlyArray<Found<Item>>) => Readonly<Record<string, unknown>>,
): TE.TaskEither<Refusal, Answer> => {
  const { query, seal } = call;
  const first_revision = source?.chunks.first_revision ?? null;
  return pipe(
    readEvidenceQuery(query, subjectName, first_revision),
    E.mapLeft((refusal): Refusal => refusal),
    TE.fromEither,
    TE.chain(({ wanted, place }) =>
      pipe(
        source === null
          ? TE.right<Refusal, EvidencePage<Item>>(empty)
          : readInPlace(call, evidencePage(source, wanted, place)),
        TE.map(({ found, next }) => ({
          ...show(found),
          next_cursor: seal(next && evidenceCursor(next, first_revision)),
        })),
      ),
    ),
    TE.chain(ok),
  );
};

interface ShownFace {
  readonly face_id: number;
  readonly tracks: Array<Interval>;
  readonly talking: Array<Interval>;
  readonly captions: Array<Interval>;
}

/** Intervals of one face that follow each other are shown together. */
const facesOf = (found: ReadonlyArray<Found<FaceEvidence>>): ReadonlyArray<ShownFace> => {
  const faces: Array<ShownFace> = [];
  for (const { subject, item } of found) {
    const last = faces.at(-1);
    const face = last?.face_id === subject ? last : { face_id: subject, tracks: [], talking: [], captions: [] };
    if (face !== last) faces.push(face);
    face[item.kind].push(item.value);
  }
  return faces;
};

const tracks = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    'videos.tracks',
    video(service, 'owner_or_worker'),
    (call, state) =>
      answer(call, 'face_id', lists.tracks(state), (found) => ({
        faces: facesOf(found),
      })),
    evidenceParameters('face_id'),
  );

const segments = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    'audios.segments',
    audio(service, 'owner_or_worker_or_media_write'),
    (call, state) =>
      answer(call, 'speaker_id', lists.segments(state), (found) => ({
        segments: found.map(({ subject, item: { start, end } }) => ({ speaker_id: subject, start, end })),
      })),
    evidenceParameters('speaker_id'),
  );

const transcript = (service: Service, lists: EvidenceLists): Endpoint =>
  withoutBody(
    'audios.transcript',
    audio(service, 'owner_or_worker_or_media_write'),
    (call, state) => {
      const source = lists.transcript(state);
      if (source === null) return TE.left<Refusal>({ _tag: 'NoTranscript' });
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
    evidenceParameters('speaker_id'),
  );

/** What was seen and heard, as people may read it back. */
export const evidenceEndpoints = (service: Service, lists: EvidenceLists): ReadonlyArray<Endpoint> => [
  tracks(service, lists),
  segments(service, lists),
  transcript(service, lists),
];
