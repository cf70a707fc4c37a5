import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import { group } from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import type { Failure } from '../../../application/failures.js';
import {
  type FaceEvidence,
  type EvidencePage,
  type EvidenceQuery,
  type EvidenceSource,
  type Found,
  type PageStart,
  evidencePage,
} from '../../../application/evidence/evidence-lists.js';
import type { Answer, Call, Endpoint } from '../endpoint.js';
import { FaceTracksPage, SegmentPage, TranscriptPage } from '../codecs/media.js';
import { withQuery } from '../declare-endpoint.js';
import { audio, video, within } from '../finders.js';
import { Count, readCursor, toCursor } from '../../runtime/cursor.js';
import { flag, longPage, number, range, readAll } from '../parameters.js';
import { type Gone, readInTurn } from '../paged-answer.js';
import type { InvalidCursor, PageRequest } from '../../../projections/queries.js';

const seconds = (name: string, description: string) =>
  number(
    { name, description, schema: { type: 'number', minimum: 0 } },
    /^\d{1,12}(?:\.\d{1,9})?$/,
    'a number of seconds, 0 or more',
  );

const from = seconds('from', 'Only items that end after this time, in seconds from the start of the medium.');
const to = seconds('to', 'Only items that start before this time, in seconds from the start of the medium.');

/** The items of one face or speaker, or of all, in a range of time, and the page of them. */
const evidenceOf = (kind: 'face' | 'speaker') => ({
  subject: number(
    { name: `${kind}_id`, description: `Only items of this ${kind}.`, schema: { type: 'integer', minimum: 0 } },
    /^\d{1,15}$/,
    'a non-negative integer',
  ),
  times: range(from, to),
  page: longPage,
});

const boxes = flag('boxes', 'true: also where in the picture each face is.');

interface AskedEvidence extends Pick<EvidenceQuery, 'subject'> {
  readonly times: Pick<EvidenceQuery, 'from' | 'to'>;
  readonly page: PageRequest;
}

/** A place, after the revision of the analysis: a cursor is valid only for that. */
const EvidenceCursor = t.tuple([Count, Count, Count, Count]);

const placeIn = (cursor: string | null, first_revision: number | null): E.Either<InvalidCursor, PageStart | null> =>
  pipe(
    readCursor(EvidenceCursor, cursor),
    E.chain((values): E.Either<InvalidCursor, PageStart | null> => {
      if (values === null) return E.right(null);
      const [analysis, part, offset, index] = values;
      return analysis === first_revision ? E.right({ part, offset, index }) : E.left({ _tag: 'InvalidCursor' });
    }),
  );

type Unread = InvalidCursor | Failure | Gone;

const empty = { found: [], next: null };

/** A page of evidence in the form that `show` gives it, with the cursor of the next page. */
const answer = <Item, Shown>(
  call: Call,
  { subject, times, page: { limit, cursor } }: AskedEvidence,
  source: EvidenceSource<Item> | null,
  show: (found: ReadonlyArray<Found<Item>>) => Shown,
): TE.TaskEither<Unread, Answer<Shown & { readonly next_cursor: string | null }>> => {
  const first_revision = source?.chunks.first_revision ?? null;
  return pipe(
    TE.fromEither(placeIn(cursor, first_revision)),
    TE.chainW((place) =>
      source === null
        ? TE.right<never, EvidencePage<Item>>(empty)
        : readInTurn(call)(evidencePage(source, { ...times, subject, limit }, place)),
    ),
    TE.map(({ found, next }) => ({
      body: {
        ...show(found),
        next_cursor: call.clientCursor(next && toCursor([first_revision, next.part, next.offset, next.index])),
      },
    })),
  );
};

const ofSameFace = group<Found<FaceEvidence>>({ equals: (one, other) => one.subject === other.subject });

/** Consecutive items of the same face together. */
const facesOf = (found: ReadonlyArray<Found<FaceEvidence>>, withBoxes: boolean) =>
  ofSameFace(found).map((items) => ({
    face_id: items[0].subject,
    tracks: items.flatMap(({ item }) => (item.kind === 'tracks' ? [item.value] : [])),
    talking: items.flatMap(({ item }) => (item.kind === 'talking' ? [item.value] : [])),
    captions: items.flatMap(({ item }) => (item.kind === 'captions' ? [item.value] : [])),
    ...(withBoxes ? { boxes: items.flatMap(({ item }) => (item.kind === 'boxes' ? [item.value] : [])) } : {}),
  }));

/** Finds the audio in the path, with the source of its transcript. */
const audioWithTranscript = within(
  audio('owner_or_worker_or_media_write'),
  'NoTranscript',
  ({ service: { evidence } }, state) =>
    pipe(
      evidence.transcript(state),
      TE.fromNullable({ _tag: 'NoTranscript' as const }),
      TE.map((source) => ({ source })),
    ),
);

/** Face tracks, speaker turns and transcripts. */
export const evidenceEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'videos.tracks',
    'List face tracks',
    'Face tracks, active-speaker scores and captions that overlap the given time range. A face may continue on the next page.',
    video('owner_or_worker'),
    { query: readAll({ ...evidenceOf('face'), boxes }), answer: FaceTracksPage },
    (call, state, asked) => {
      const withBoxes = asked.boxes === true;
      return answer(call, asked, call.service.evidence.tracks(state, withBoxes), (found) => ({
        faces: facesOf(found, withBoxes),
      }));
    },
  ),
  withQuery(
    'audios.segments',
    'List speaker turns',
    'The turns that overlap the given time range; they are not cut.',
    audio('owner_or_worker_or_media_write'),
    { query: readAll(evidenceOf('speaker')), answer: SegmentPage },
    (call, state, asked) =>
      answer(call, asked, call.service.evidence.segments(state), (found) => ({
        segments: found.map(({ subject, item }) => ({ ...item, speaker_id: subject })),
      })),
  ),
  withQuery(
    'audios.transcript',
    'Get the transcript',
    '`index` is the position of the utterance in the submitted transcript; quotes refer to it.',
    audioWithTranscript,
    { query: readAll(evidenceOf('speaker')), answer: TranscriptPage },
    (call, { source }, asked) =>
      answer(call, asked, source, (found) => ({
        transcript: found.map(({ index, subject, item }) => ({ ...item, index, speaker_id: subject })),
      })),
  ),
];
