import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { authoriseVideo } from '../../../application/queries/authorise.js';
import { VideoId } from '../../../domain/kernel/ids.js';
import type { Listing, PageRequest, ReadModelsUnavailable } from '../../../projections/queries.js';
import type { ReviewQuestion, ReviewScope } from '../../../projections/review.js';
import { Completed, Decisions, QuestionPage, DecisionsBody } from '../codecs/matching.js';
import { type Endpoint, type Finder, type Service, video } from '../endpoint.js';
import { answering, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import { oneOf, page, readAll, text } from '../parameters.js';
import { listed, videoView } from './records.js';
import { decideLinks } from '../../../application/use-cases/videos/change-video.js';
import { effectiveDecisions } from '../../../projections/link-decisions.js';
import { videoRefusals } from '../../../domain/video/contract.js';

const video_id = text('video_id', 'Only questions about this video.');
const kind = oneOf('kind', 'Only questions of this kind.', ['link', 'name']);

/** Finds the requested video, or all media of the caller's account. */
const reviewed: Finder<Omit<ReviewScope, 'kind'>, 'UnknownVideo' | 'NotAuthorised'> = {
  access: ['any_key'],
  refuses: ['UnknownVideo', 'NotAuthorised'],
  find: ({ service: { app }, query: { video_id }, request: { caller } }) =>
    video_id === undefined
      ? TE.right({ by: 'owner_id', id: caller.account_id })
      : pipe(
          TE.fromPredicate(VideoId.is, () => ({ _tag: 'UnknownVideo' as const }))(video_id),
          TE.chainW((id) => authoriseVideo(app, caller, id, 'owner')),
          TE.map(() => ({ by: 'video_id', id: video_id })),
        ),
};

/** Removes questions about speakers that were deleted: deleting a speaker does not change the video. */
const withExistingSpeakers = (
  { queries }: Service,
  found: Listing<ReviewQuestion>,
): TE.TaskEither<ReadModelsUnavailable, Listing<ReviewQuestion>> =>
  pipe(
    [...new Set(found.items.flatMap(({ audio_id }) => audio_id ?? []))],
    TE.traverseSeqArray((audio_id) =>
      pipe(
        queries.audio(audio_id),
        TE.map((view) => (view?.record.speakers ?? []).map(({ speaker_id }) => `${audio_id} ${speaker_id}`)),
      ),
    ),
    TE.map((speakers) => new Set(speakers.flat())),
    TE.map((there) => ({
      ...found,
      items: found.items.filter(({ audio_id, speaker_id }) => there.has(`${audio_id} ${speaker_id}`)),
    })),
  );

const openQuestions = (service: Service, page: PageRequest, scope: ReviewScope) =>
  pipe(
    service.queries.review(scope, page),
    TE.chainW((found) => withExistingSpeakers(service, found)),
  );

const shown = ({ owner_id: _owner, open: _open, settled: _settled, names, ...question }: ReviewQuestion) => ({
  ...question,
  ...(names === null ? {} : { names }),
});

/** Questions for people to review, and their decisions about matches. */
export const reviewEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'review.list',
    'List review questions',
    'The questions whose answers help most come first: `gain` is the expected number of matches that become correct.',
    { answer: QuestionPage },
    readAll({ video_id, kind, page }),
    reviewed,
    (call, scope, asked) =>
      listed(
        QuestionPage,
        call,
        asked.page,
        (portion) => openQuestions(call.service, portion, { ...scope, kind: asked.kind }),
        shown,
      ),
  ),
  withBody(
    'decisions.create',
    'Decide about matches',
    'Confirm a match, confirm that a speaker is not visible (`face_id: null`), or reject a match. All or nothing. Later runs respect decisions.',
    { answer: Completed, refuses: videoRefusals.DecideLinks },
    DecisionsBody,
    video('owner'),
    ({ service: { app }, request }, { video_id }, { decisions }) =>
      answering(decideLinks(app, request, video_id, decisions), () => ({
        status: 'completed',
        message: 'The decisions were recorded',
      })),
  ),
  withoutBody(
    'decisions.list',
    'List current decisions',
    'Without decisions that were replaced or reverted.',
    { answer: Decisions },
    video('owner_or_worker'),
    ({ service }, { video_id }) =>
      answering(videoView(service, video_id), ({ decisions }) => ({ decisions: effectiveDecisions(decisions) })),
  ),
];
