import type * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import { RunId, type VideoId } from '../../../domain/kernel/ids.js';
import { secondsBetween } from '../../../domain/kernel/timestamp.js';
import type { Listing, PageRequest, ReadModelsUnavailable } from '../../../projections/queries.js';
import { type RunState, runState, runStates, statusAnswer } from '../../../projections/run-status.js';
import type { MatchRunView, VideoView } from '../../../projections/views.js';
import { MatchRun, MatchRunPage, Statuses } from '../codecs/matching.js';
import { ok, withoutBody } from '../declare-endpoint.js';
import type { Call, Endpoint, Finder, Answer, Refused, Service } from '../endpoint.js';
import { flag, oneOf, page, pageRequest, readAll, wait, wholePage } from '../parameters.js';
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

const shownListing =
  (service: Service) =>
  (listing: Listing<MatchRunView>): TE.TaskEither<ReadModelsUnavailable, Listing<ShownRun>> =>
    pipe(
      shown(service, listing.items),
      TE.map((items) => ({ ...listing, items })),
    );

const statusAt = (service: Service, view: VideoView, { request }: Call) =>
  statusAnswer(view, request.at, service.app.stale_seconds);

/** Match runs, for the accounts that trigger them and the workers that answer them. */
export const matchRunEndpoints: ReadonlyArray<Endpoint> = [
  withoutBody(
    'runs.list',
    'List the match runs of a video',
    'With their outcome and late write-backs.',
    { answer: MatchRunPage, query: Object.values(wholePage) },
    video('owner_or_worker'),
    (call, { video_id }) =>
      listed(
        MatchRunPage,
        call,
        (page) => pipe(call.service.queries.matchRuns(video_id, page), TE.chainW(shownListing(call.service))),
        identity,
        wholePage,
      ),
  ),
  withoutBody(
    'runs.get',
    'Get a match run',
    'With `wait`, answers as soon as the run is no longer in flight.',
    { answer: MatchRun, refuses: ['UnknownRun'], query: [wait] },
    video('owner_or_worker'),
    ({ service, params: { run_id }, query }, { video_id }) =>
      RunId.is(run_id)
        ? pipe(
            TE.fromEither(wait(query)),
            TE.chainW(
              (seconds) => () =>
                longPoll({
                  ask: () => askForRun(service, `${video_id} ${run_id}`, findRun(service, video_id, run_id)),
                  isReady: ({ state }) => state !== 'in_flight',
                  nextChange: () => service.queries.change({ run_id }),
                  expiresInMs: (run) => staleIn(service, run),
                  timeoutMs: seconds * 1_000,
                }),
            ),
            TE.map((run) => ({ body: run })),
          )
        : TE.left<NotShown>({ _tag: 'UnknownRun' }),
  ),
  withoutBody(
    'runs.listAll',
    'List match runs of all videos',
    'For workers: `state=in_flight` lists runs to be processed, oldest first. With `wait`, an empty list is held back until there is a run.',
    {
      answer: MatchRunPage,
      query: [state, wait, page.limit, page.cursor],
    },
    workers,
    (call) => {
      const { service } = call;
      const { clock, stale_seconds } = service.app;
      return pipe(
        TE.fromEither(readAll({ state, page: pageRequest(), wait })(call.query)),
        TE.chainW((wanted) => {
          const read = (portion: PageRequest): TE.TaskEither<NotListed, Listing<MatchRunView>> =>
            queryUpToDate(service, () =>
              service.queries.allMatchRuns(wanted.state, { at: clock.now(), stale_seconds }, portion),
            );
          return pipe(
            waitForItems(service, {
              key: JSON.stringify(['match_runs', wanted.state, wanted.page.cursor]),
              first: read({ ...wanted.page, limit: 1 }),
              nextChange: () => service.queries.change('match_runs'),
              seconds: wanted.wait,
            }),
            TE.chainW(() =>
              listed(MatchRunPage, call, (portion) => pipe(read(portion), TE.chainW(shownListing(service))), identity),
            ),
          );
        }),
      );
    },
  ),
];

export const matchStatusEndpoints: ReadonlyArray<Endpoint> = [
  withoutBody(
    'matches.status',
    'Get the status of a video',
    'The processing status, or with `speaker_face_match_status=true` the status of the newest match run.',
    { answer: Statuses, query: [ofRun] },
    video('owner_or_worker'),
    (call, { video_id }) =>
      pipe(
        TE.fromEither(ofRun(call.query)),
        TE.bindTo('isOfRun'),
        TE.bindW('view', () => videoView(call.service, video_id)),
        TE.chainW(({ isOfRun, view }) =>
          ok(isOfRun === true ? statusAt(call.service, view, call) : { status: view.record.status }),
        ),
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
