import type * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import { RunId, type VideoId } from '../../../domain/kernel/ids.js';
import { secondsBetween } from '../../../domain/kernel/timestamp.js';
import type { Listing, PageRequest, ReadModelsUnavailable } from '../../../projections/queries.js';
import { type RunState, runState, runStates, statusAnswer } from '../../../projections/run-status.js';
import type { MatchRunView, VideoView } from '../../../projections/views.js';
import { MatchRun, MatchRunPage, Statuses } from '../codecs/matching.js';
import { answering, ok, withoutBody, withQuery } from '../declare-endpoint.js';
import type { Call, Endpoint, Finder, Answer, Refused, Service } from '../endpoint.js';
import { flag, oneOf, page, readAll, wait, wholePage } from '../parameters.js';
import { type NotCurrent, type NotListed, queryUpToDate, video } from '../service.js';
import { askedTogether, longPoll, waitForItems } from '../long-poll.js';
import { listed, videoView } from './records.js';
import type { Failure } from '../../../application/failures.js';
import { refusalOf } from '../../../domain/kernel/erased.js';
import type { UnknownRun } from '../../../domain/match-run/contract.js';
import { type LinkDecision, effectiveDecisions } from '../../../projections/link-decisions.js';
import { SuggestionBlock } from '../../../domain/video/write-back.js';

/** In how many milliseconds a run will be stale; null if it is no longer in flight. */
const staleIn = ({ app }: Service, { queued_at, state }: ShownRun): number | null => {
  if (queued_at === null || state !== 'in_flight') return null;
  return Math.max(0, app.stale_seconds - secondsBetween(queued_at, app.clock.now())) * 1_000 + 1;
};

const workers: Finder<void, 'NotAuthorised'> = {
  access: ['admin', 'WORKER'],
  refuses: ['NotAuthorised'],
  find: ({ request: { caller } }) =>
    caller.admin || caller.permissions.has('WORKER')
      ? TE.right(undefined)
      : TE.left({ _tag: 'NotAuthorised', needs: 'WORKER' }),
};

const state = oneOf('state', 'Only runs in this state.', runStates);

const ofRun = flag(
  'speaker_face_match_status',
  'true: return the status of the newest match run instead of the processing status.',
);

type NotShown = UnknownRun | Failure | NotCurrent;

/** Why there is no run to show: its video may have been erased while the request waited. */
const absent = ({ app }: Service, video_id: VideoId): TE.TaskEither<NotShown, never> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }) => TE.left<NotShown>(state._tag === 'Erased' ? refusalOf(state) : { _tag: 'UnknownRun' })),
  );

/** A run of a video. */
const findRun = (service: Service, video_id: VideoId, run_id: RunId): TE.TaskEither<NotShown, ShownRun> =>
  pipe(
    queryUpToDate(service, () => service.queries.matchRun(run_id)),
    TE.chainW((run) => (run === null || run.video_id !== video_id ? absent(service, video_id) : shown(service, [run]))),
    TE.chainW(([run]) => (run === undefined ? absent(service, video_id) : TE.right(run))),
  );

type ShownRun = MatchRunView & { readonly state: RunState; readonly decisions: ReadonlyArray<LinkDecision> };

const askForRun = askedTogether<E.Either<NotShown, ShownRun>>();

/** Runs with their state and the decisions about their videos, which a worker must respect. */
const shown = (
  { app, queries }: Service,
  runs: ReadonlyArray<MatchRunView>,
): TE.TaskEither<ReadModelsUnavailable, ReadonlyArray<ShownRun>> =>
  pipe(
    [...new Set(runs.flatMap(({ video_id }) => video_id ?? []))],
    TE.traverseSeqArray((video_id) =>
      pipe(
        queries.video(video_id),
        TE.map((view) => [video_id, effectiveDecisions(view?.decisions ?? [])] as const),
      ),
    ),
    TE.map((found) => {
      const decisions = new Map<string | null, ReadonlyArray<LinkDecision>>(found);
      return runs.map((run) => ({
        ...run,
        state: runState(run, app.clock.now(), app.stale_seconds),
        decisions: decisions.get(run.video_id) ?? [],
      }));
    }),
  );

const listedRuns = (
  call: Call,
  page: PageRequest,
  read: (page: PageRequest) => TE.TaskEither<NotListed, Listing<MatchRunView>>,
) =>
  listed(
    MatchRunPage,
    call,
    page,
    (portion) =>
      pipe(
        read(portion),
        TE.bindTo('listing'),
        TE.bindW('items', ({ listing }) => shown(call.service, listing.items)),
        TE.map(({ listing, items }) => ({ ...listing, items })),
      ),
    identity,
  );

const statusAt = (service: Service, view: VideoView, { request }: Call) =>
  statusAnswer(view, request.at, service.app.stale_seconds);

/** Match runs, for the accounts that trigger them and the workers that answer them. */
export const matchRunEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'runs.list',
    'List the match runs of a video',
    'With their outcome and late write-backs.',
    { answer: MatchRunPage },
    wholePage,
    video('owner_or_worker'),
    (call, { video_id }, asked) =>
      listedRuns(call, asked, (portion) => call.service.queries.matchRuns(video_id, portion)),
  ),
  withQuery(
    'runs.get',
    'Get a match run',
    'With `wait`, answers as soon as the run is no longer in flight.',
    { answer: MatchRun, refuses: ['UnknownRun'] },
    wait,
    video('owner_or_worker'),
    ({ service, params: { run_id } }, { video_id }, seconds) =>
      RunId.is(run_id)
        ? answering(
            () =>
              longPoll({
                ask: () => askForRun(service, `${video_id} ${run_id}`, findRun(service, video_id, run_id)),
                isReady: ({ state }) => state !== 'in_flight',
                nextChange: () => service.queries.change({ run_id }),
                expiresInMs: (run) => staleIn(service, run),
                timeoutMs: seconds * 1_000,
              }),
            identity,
          )
        : TE.left<NotShown>({ _tag: 'UnknownRun' }),
  ),
  withQuery(
    'runs.listAll',
    'List match runs of all videos',
    'For workers: `state=in_flight` lists runs to be processed, oldest first. With `wait`, an empty list is held back until there is a run.',
    { answer: MatchRunPage },
    readAll({ state, wait, page }),
    workers,
    (call, _, asked) => {
      const { service } = call;
      const { clock, stale_seconds } = service.app;
      const read = (portion: PageRequest): TE.TaskEither<NotListed, Listing<MatchRunView>> =>
        service.queries.allMatchRuns(asked.state, { at: clock.now(), stale_seconds }, portion);
      return pipe(
        waitForItems(service, {
          key: JSON.stringify(['match_runs', asked.state, asked.page.cursor]),
          first: queryUpToDate(service, () => read({ ...asked.page, limit: 1 })),
          nextChange: () => service.queries.change('match_runs'),
          seconds: asked.wait,
        }),
        TE.chainW(() => listedRuns(call, asked.page, read)),
      );
    },
  ),
];

export const matchStatusEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'matches.status',
    'Get the status of a video',
    'The processing status, or with `speaker_face_match_status=true` the status of the newest match run.',
    { answer: Statuses },
    ofRun,
    video('owner_or_worker'),
    (call, { video_id }, isOfRun) =>
      answering(videoView(call.service, video_id), (view) =>
        isOfRun === true ? statusAt(call.service, view, call) : { status: view.record.status },
      ),
  ),
  withoutBody(
    'matches.suggestions',
    'Get the stored suggestions',
    'The answer is a valid body of `matches.commit`. 404 while a suggest run is in flight, or if no suggestions are stored.',
    { answer: SuggestionBlock, refuses: ['SuggestionsPending', 'NoSuggestions'] },
    video('owner_or_worker'),
    (call, { video_id }) =>
      pipe(
        videoView(call.service, video_id),
        TE.chainW((view): TE.TaskEither<Refused<'SuggestionsPending' | 'NoSuggestions'>, Answer<SuggestionBlock>> => {
          const block = view.record.speaker_face_match.suggestions;
          if (statusAt(call.service, view, call).in_flight) return TE.left({ _tag: 'SuggestionsPending' });
          return block === null ? TE.left({ _tag: 'NoSuggestions' }) : ok(block);
        }),
      ),
  ),
];
