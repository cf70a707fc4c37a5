import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Failure } from '../../../application/failures.js';
import {
  type FaceEvidence,
  type EvidencePage,
  type EvidenceQuery,
  type EvidenceSource,
  type Found,
  type Place,
  evidencePage,
} from '../../../application/evidence/evidence-lists.js';
import type { Box, Caption, TalkingScore } from '../../../domain/video/events.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import type { Answer, Call, Endpoint, Refused } from '../endpoint.js';
import { FaceTracksPage, SegmentPage, TranscriptPage } from '../codecs/media.js';
import { withoutBody } from '../declare-endpoint.js';
import { Count, readCursor, toCursor } from '../../runtime/cursor.js';
import { type BadQuery, type Parameter, type Query, flag, longPage, number, readAll } from '../parameters.js';
import { type Gone, readInTurn } from '../paged-answer.js';
import type { InvalidCursor } from '../../../projections/queries.js';
import { audio, video } from '../service.js';

const seconds = (name: string, description: string) =>
  number(
    { name, description, schema: { type: 'number', minimum: 0 } },
    /^\d{1,12}(?:\.\d{1,9})?$/,
    'a number of seconds, 0 or more',
  );

const from = seconds('from', 'Only items that end after this time, in seconds from the start of the medium.');
const to = seconds('to', 'Only items that start before this time, in seconds from the start of the medium.');

/** The parameter for the items of one face or speaker. */
const subjectOf = (kind: 'face' | 'speaker') =>
  number(
    { name: `${kind}_id`, description: `Only items of this ${kind}.`, schema: { type: 'integer', minimum: 0 } },
    /^\d{1,15}$/,
    'a non-negative integer',
  );

const ofFace = subjectOf('face');
const ofSpeaker = subjectOf('speaker');
const boxes = flag('boxes', 'true: also where in the picture each face is.');

const evidenceParameters = (subject: Parameter): ReadonlyArray<Parameter> => [
  subject,
  from,
  to,
  ...Object.values(longPage),
];

/** A place, after the revision of the analysis: a cursor is valid only for that. */
const EvidenceCursor = t.tuple([Count, Count, Count, Count]);

const placeIn = (cursor: string | null, first_revision: number | null): E.Either<InvalidCursor, Place | null> =>
  pipe(
    readCursor(EvidenceCursor, cursor),
    E.chain((values): E.Either<InvalidCursor, Place | null> => {
      if (values === null) return E.right(null);
      const [analysis, part, offset, index] = values;
      return analysis === first_revision ? E.right({ part, offset, index }) : E.left({ _tag: 'InvalidCursor' });
    }),
  );

const readQuery = (
  query: Query,
  subject: Parameter<number | null>,
  first_revision: number | null,
): E.Either<BadQuery | InvalidCursor, { readonly wanted: EvidenceQuery; readonly place: Place | null }> =>
  pipe(
    readAll({ from, to, subject, ...longPage })(query),
    E.filterOrElseW(
      (wanted) => wanted.from === null || wanted.to === null || wanted.from <= wanted.to,
      (): BadQuery => ({ _tag: 'BadQuery', parameter: 'from', message: 'must not be later than to' }),
    ),
    E.chainW(({ cursor, ...wanted }) =>
      pipe(
        placeIn(cursor, first_revision),
        E.map((place) => ({ wanted, place })),
      ),
    ),
  );

type Unread = BadQuery | InvalidCursor | Failure | Gone;

const empty = { found: [], next: null };

/** A page of evidence in the form that `show` gives it, with the cursor of the next page. */
const answer = <Item, Shown>(
  call: Call,
  subject: Parameter<number | null>,
  source: EvidenceSource<Item> | null,
  show: (found: ReadonlyArray<Found<Item>>) => Shown,
): TE.TaskEither<Unread, Answer<Shown & { readonly next_cursor: string | null }>> => {
  const { query, clientCursor } = call;
  const first_revision = source?.chunks.first_revision ?? null;
  return pipe(
    readQuery(query, subject, first_revision),
    TE.fromEither,
    TE.chainW(({ wanted, place }) =>
      pipe(
        source === null
          ? TE.right<never, EvidencePage<Item>>(empty)
          : readInTurn(call, evidencePage(source, wanted, place)),
        TE.map(({ found, next }) => ({
          ...show(found),
          next_cursor: clientCursor(next && toCursor([first_revision, next.part, next.offset, next.index])),
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
  /** Absent if they are not wanted. */
  readonly boxes?: Array<Box>;
}

/** Groups consecutive items of the same face. */
const facesOf = (found: ReadonlyArray<Found<FaceEvidence>>, withBoxes: boolean): ReadonlyArray<ShownFace> => {
  const faces: Array<ShownFace> = [];
  for (const { subject, item } of found) {
    const last = faces.at(-1);
    const none = { tracks: [], talking: [], captions: [], ...(withBoxes ? { boxes: [] } : {}) };
    const face: ShownFace = last?.face_id === subject ? last : { face_id: subject, ...none };
    if (face !== last) faces.push(face);
    if (item.kind === 'tracks') face.tracks.push(item.value);
    else if (item.kind === 'talking') face.talking.push(item.value);
    else if (item.kind === 'captions') face.captions.push(item.value);
    else face.boxes?.push(item.value);
  }
  return faces;
};

/** Face tracks, speaker turns and transcripts. */
export const evidenceEndpoints: ReadonlyArray<Endpoint> = [
  withoutBody(
    'videos.tracks',
    'List face tracks',
    'Face tracks, active-speaker scores and captions that overlap the given time range. A face may continue on the next page.',
    { answer: FaceTracksPage, query: [...evidenceParameters(ofFace), boxes] },
    video('owner_or_worker'),
    (call, state) =>
      pipe(
        TE.fromEither(boxes(call.query)),
        TE.chainW((wanted) => {
          const withBoxes = wanted === true;
          return answer(call, ofFace, call.service.evidence.tracks(state, withBoxes), (found) => ({
            faces: facesOf(found, withBoxes),
          }));
        }),
      ),
  ),
  withoutBody(
    'audios.segments',
    'List speaker turns',
    'The turns that overlap the given time range; they are not cut.',
    { answer: SegmentPage, query: evidenceParameters(ofSpeaker) },
    audio('owner_or_worker_or_media_write'),
    (call, state) =>
      answer(call, ofSpeaker, call.service.evidence.segments(state), (found) => ({
        segments: found.map(({ subject, item: { start, end } }) => ({ speaker_id: subject, start, end })),
      })),
  ),
  withoutBody(
    'audios.transcript',
    'Get the transcript',
    '`index` is the position of the utterance in the submitted transcript; quotes refer to it.',
    { answer: TranscriptPage, refuses: ['NoTranscript'], query: evidenceParameters(ofSpeaker) },
    audio('owner_or_worker_or_media_write'),
    (call, state): TE.TaskEither<Refused<'NoTranscript'> | Unread, Answer<t.TypeOf<typeof TranscriptPage>>> => {
      const source = call.service.evidence.transcript(state);
      if (source === null) return TE.left({ _tag: 'NoTranscript' });
      return answer(call, ofSpeaker, source, (found) => ({
        transcript: found.map(({ index, subject, item: { start, end, text } }) => ({
          index,
          speaker_id: subject,
          start,
          end,
          text,
        })),
      }));
    },
  ),
];
