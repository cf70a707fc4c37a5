import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import {
  type NotShown,
  type ShownRun,
  readQuestions,
  readRun,
  shownRuns,
  staleInMs,
} from '../../../application/queries/match-runs.js';
import { readVideo } from '../../../application/queries/records.js';
import { matchFaces, decideLinks } from '../../../application/use-cases/videos/change-video.js';
import { queueMatchRun, receiveWriteBack } from '../../../application/use-cases/match-runs/match-runs.js';
import { VideoId, RunId } from '../../../domain/kernel/ids.js';
import type { MatchRunRefusal } from '../../../domain/match-run/contract.js';
import { videoRefusals } from '../../../domain/video/contract.js';
import type { MatchMode } from '../../../domain/video/events.js';
import { type MatchCandidate, type WorkerAnswer, SuggestionBlock } from '../../../domain/video/write-back.js';
import { effectiveDecisions } from '../../../projections/link-decisions.js';
import type { Listing, PageRequest } from '../../../projections/queries.js';
import { runStates, statusAnswer } from '../../../projections/run-status.js';
import type { MatchRunView, VideoRow } from '../../../projections/views.js';
import { writeBackReader } from '../decode.js';
import * as matching from '../codecs/matching.js';
import { targetsOf } from '../codecs/values.js';
import { answering, ok, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import type { OperationId } from '../../runtime/operations.js';
import { video, within, workers } from '../finders.js';
import type { Answer, Call, Endpoint, Finder, Refused, Service, NotListed } from '../endpoint.js';
import { askedTogether, longPoll, waitForItems } from '../long-poll.js';
import { flag, oneOf, page, readAll, wait, wholePage, text } from '../parameters.js';
import { pagedAnswer } from '../paged-answer.js';
import { authoriseVideo } from '../../../application/queries/request-checks.js';
import type { ReviewQuestion, ReviewScope } from '../../../projections/review.js';
import { Completed, Decisions, QuestionPage, DecisionsBody } from '../codecs/matching.js';

const candidateIn = ({ face_id, accuracy, matched_speaker_id }: matching.WrittenCandidate): MatchCandidate => ({
  face_id,
  accuracy,
  matched_speaker_id: matched_speaker_id ?? null,
});

const answerIn = (body: matching.WriteBackBody): WorkerAnswer => {
  if (body.status === 'failed') return { status: 'failed', error: body.error ?? 'the worker gave no reason' };
  return {
    status: 'completed',
    matches: (body.matches ?? []).map(({ face_id, speaker_id, accuracy, channel, evidence }) => ({
      face_id,
      speaker_id,
      accuracy,
      channel: channel ?? 'co_occurrence',
      evidence: evidence ?? {},
    })),
    unmatched_speakers: (body.unmatched_speakers ?? []).map(({ speaker_id, reason, candidates, nobody }) => ({
      speaker_id,
      reason,
      ...(candidates === undefined || candidates === null ? {} : { candidates: candidates.map(candidateIn) }),
      ...(nobody === undefined || nobody === null ? {} : { nobody }),
    })),
  };
};

const aboutRuns =
  'Processes the given speakers, or all. The run is answered by a worker: the embedded one, or an external one if the embedded one is switched off. `runs.get` with `wait` returns when the run has ended. While a suggest run is in flight, further triggers of both modes are refused until it is stale. A commit run keeps none off: a trigger that comes before its result supersedes it.';

const startRun = (operation: OperationId, summary: string, about: string, mode: MatchMode, message: string): Endpoint =>
  withBody(
    operation,
    summary,
    `${about} ${aboutRuns}`,
    video('owner'),
    { body: matching.MatchRunBody, answer: matching.StartedRun, refuses: videoRefusals.QueueMatchRun },
    ({ service: { app }, request }, { video_id }, { target_speaker_ids: named = null }) =>
      pipe(
        TE.fromEither(named === null ? E.right(null) : targetsOf(named)),
        TE.chainW((targets) => queueMatchRun(app, request, video_id, mode, targets)),
        TE.chainW(({ run_id, audio_id }) => ok({ video_id, audio_id, status: 'processing', message, run_id })),
      ),
  );

const state = oneOf('state', 'Only runs in this state.', runStates);

const ofRun = flag(
  'speaker_face_match_status',
  'true: return the status of the newest match run instead of the processing status.',
);

/** Finds the video in the path, with the id of the run; whether there is such a run is asked later. */
const runInPath = within(
  video('owner_or_worker'),
  'UnknownRun',
  ({ params: { run_id } }): TE.TaskEither<MatchRunRefusal, { readonly run_id: RunId }> =>
    RunId.is(run_id) ? TE.right({ run_id }) : TE.left({ _tag: 'UnknownRun' }),
);

const askForRun = askedTogether<E.Either<NotShown, ShownRun>>();

const listedRuns = (
  call: Call,
  page: PageRequest,
  read: (page: PageRequest) => TE.TaskEither<NotListed, Listing<MatchRunView>>,
) =>
  pagedAnswer(
    matching.MatchRunPage,
    call,
    page,
    (portion) =>
      pipe(
        read(portion),
        TE.bindTo('listing'),
        TE.bindW('items', ({ listing }) => shownRuns(call.service, listing.items)),
        TE.map(({ listing, items }) => ({ ...listing, items })),
      ),
    identity,
  );

const statusAt = (service: Service, view: VideoRow, { request }: Call) =>
  statusAnswer(view, request.at, service.app.stale_seconds);

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

const shownQuestion = ({ owner_id: _owner, open: _open, settled: _settled, names, ...question }: ReviewQuestion) => ({
  ...question,
  ...(names === null ? {} : { names }),
});

/** Matches, and the runs that find them, for the accounts that trigger them and the workers that answer them. */
export const matchingEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'matches.commit',
    'Match faces to speakers',
    'Commits matches made by a person; a block of suggestions is a valid body. The face and the speaker get the given name. A speaker has at most one face and a face at most one speaker: an earlier match is replaced.',
    video('owner'),
    { body: matching.MatchFacesBody, answer: matching.Completed, refuses: videoRefusals.MatchFaces },
    ({ service: { app }, request }, { video_id }, { mappings }) =>
      answering(matchFaces(app, request, video_id, mappings), () => ({
        status: 'completed',
        message: 'Speaker-face matching completed successfully',
      })),
  ),
  startRun(
    'matches.run',
    'Start a match run that commits',
    'The matches found are written to the faces.',
    'commit',
    'Speaker-face matching started',
  ),
  startRun(
    'matches.suggest',
    'Start a match run that suggests',
    'The matches found are stored as suggestions.',
    'suggest',
    'Speaker-face suggestions are being computed',
  ),
  withBody(
    'matches.writeBack',
    'Write back the result of a match run',
    'For workers. With `run_id` the result applies to that run only, and changes nothing if the run has ended or was superseded.',
    video('worker'),
    {
      body: writeBackReader,
      answer: matching.WriteBackReceipt,
      refuses: [
        'SpeakerNotTargeted',
        'AudioMissing',
        'DuplicateFace',
        'DuplicateSpeaker',
        'InvalidFace',
        'InvalidSpeaker',
        'UnknownRun',
      ],
    },
    ({ service: { app }, request }, { video_id }, body) =>
      answering(
        receiveWriteBack(app, request, video_id, body.run_id ?? null, answerIn(body), body.video_revision ?? null),
        ({ status, run_id, reason, skipped }) => ({
          status,
          run_id,
          ...(reason === null ? {} : { reason }),
          ...(skipped === undefined ? {} : { skipped }),
        }),
      ),
  ),
  withQuery(
    'runs.list',
    'List the match runs of a video',
    'With their outcome and late write-backs.',
    video('owner_or_worker'),
    { query: wholePage, answer: matching.MatchRunPage },
    (call, { video_id }, asked) =>
      listedRuns(call, asked, (portion) => call.service.queries.matchRuns(video_id, portion)),
  ),
  withQuery(
    'runs.get',
    'Get a match run',
    'With `wait`, answers as soon as the run is no longer in flight.',
    runInPath,
    { query: wait, answer: matching.MatchRun },
    ({ service }, { video_id, run_id }, seconds) =>
      answering(
        () =>
          longPoll({
            ask: () => askForRun(service, `${video_id} ${run_id}`, readRun(service, video_id, run_id)),
            isReady: ({ state }) => state !== 'in_flight',
            nextChange: () => service.queries.change({ run_id }),
            expiresInMs: (run) => staleInMs(service, run),
            timeoutMs: seconds * 1_000,
          }),
        identity,
      ),
  ),
  withQuery(
    'runs.listAll',
    'List match runs of all videos',
    'For workers: `state=in_flight` lists runs to be processed, oldest first. With `wait`, an empty list is held back until there is a run.',
    workers,
    { query: readAll({ state, wait, page }), answer: matching.MatchRunPage },
    (call, _, asked) => {
      const { service } = call;
      const { clock, stale_seconds } = service.app;
      const read = (portion: PageRequest): TE.TaskEither<NotListed, Listing<MatchRunView>> =>
        service.queries.allMatchRuns(asked.state, { at: clock.now(), stale_seconds }, portion);
      return pipe(
        waitForItems(
          service,
          'match_runs',
          [asked.state, asked.page.cursor],
          read({ ...asked.page, limit: 1 }),
          asked.wait,
        ),
        TE.chainW(() => listedRuns(call, asked.page, read)),
      );
    },
  ),
  withQuery(
    'matches.status',
    'Get the status of a video',
    'The processing status, or with `speaker_face_match_status=true` the status of the newest match run.',
    video('owner_or_worker'),
    { query: ofRun, answer: matching.Statuses },
    (call, { video_id }, isOfRun) =>
      answering(readVideo(call.service.queries, video_id), (view) =>
        isOfRun === true ? statusAt(call.service, view, call) : { status: view.record.status },
      ),
  ),
  withoutBody(
    'matches.suggestions',
    'Get the stored suggestions',
    'The answer is a valid body of `matches.commit`. 404 while a suggest run is in flight, or if no suggestions are stored.',
    video('owner_or_worker'),
    { answer: SuggestionBlock, refuses: ['SuggestionsPending', 'NoSuggestions'] },
    (call, { video_id }) =>
      pipe(
        readVideo(call.service.queries, video_id),
        TE.chainW((view): TE.TaskEither<Refused<'SuggestionsPending' | 'NoSuggestions'>, Answer<SuggestionBlock>> => {
          const block = view.record.speaker_face_match.suggestions;
          if (statusAt(call.service, view, call).in_flight) return TE.left({ _tag: 'SuggestionsPending' });
          return block === null ? TE.left({ _tag: 'NoSuggestions' }) : ok(block);
        }),
      ),
  ),
  withQuery(
    'review.list',
    'List review questions',
    'The questions whose answers help most come first: `gain` is the expected number of matches that become correct.',
    reviewed,
    { query: readAll({ video_id, kind, page }), answer: QuestionPage },
    (call, scope, asked) =>
      pagedAnswer(
        QuestionPage,
        call,
        asked.page,
        (portion) => readQuestions(call.service, { ...scope, kind: asked.kind }, portion),
        shownQuestion,
      ),
  ),
  withBody(
    'decisions.create',
    'Decide about matches',
    'Confirm a match, confirm that a speaker is not visible (`face_id: null`), or reject a match. All or nothing. Later runs respect decisions.',
    video('owner'),
    { body: DecisionsBody, answer: Completed, refuses: videoRefusals.DecideLinks },
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
    video('owner_or_worker'),
    { answer: Decisions },
    ({ service }, { video_id }) =>
      answering(readVideo(service.queries, video_id), ({ decisions }) => ({
        decisions: effectiveDecisions(decisions),
      })),
  ),
];
