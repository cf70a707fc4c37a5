import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { RunId } from '../../../domain/kernel/ids.js';
import { secondsBetween } from '../../../domain/kernel/timestamp.js';
import type {
  InvalidCursor,
  Listing,
  PageRequest,
  ReadModelBehind,
  ReadModelsUnavailable,
} from '../../../projections/queries.js';
import { type RunState, isRunState } from '../../../projections/run-status.js';
import type { MatchRunView } from '../../../projections/views.js';
import { MatchRun, MatchRunPage } from '../answers/matching.js';
import { withoutBody } from '../declare-endpoint.js';
import type { Call, Endpoint, Finder } from '../endpoint.js';
import { pageParameters, runStateParameter, waitParameter, wholePageParameters } from '../parameters.js';
import { type BadQuery, type Query, badQuery, pageRequest, together, wholePageRequest } from '../query.js';
import type { Gone } from '../read-in-turn.js';
import { type Service, queryUpToDate, videoId } from '../service.js';
import { longPoll, sharedQueries } from '../long-poll.js';
import { waitForItems, waitOf } from '../wait-for-items.js';
import { type NotShown, findRun } from './find-run.js';
import { listed } from './records.js';
import { type ShownRun, carried, shown } from './shown-runs.js';

/** In how many milliseconds a run will be stale; null if it is no longer in flight. */
const staleIn = ({ app }: Service, { queued_at, state }: ShownRun): number | null => {
  if (queued_at === null || state !== 'in_flight') return null;
  return Math.max(0, app.stale_seconds - secondsBetween(queued_at, app.clock.now())) * 1_000 + 1;
};

const ofVideo = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'runs.list', answer: MatchRunPage, query: wholePageParameters },
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) =>
      listed(
        service,
        MatchRunPage,
        call,
        (page) => pipe(service.queries.matchRuns(video_id, page), TE.chainW(carried(service))),
        (run) => shown(service, run),
        wholePageRequest,
      ),
  );

const hasEnded = ({ state }: ShownRun): boolean => state !== 'in_flight';

const one = (service: Service): Endpoint => {
  const share = sharedQueries<E.Either<NotShown, ShownRun>>();
  return withoutBody(
    { operation: 'runs.get', answer: MatchRun, refuses: ['UnknownRun'], query: [waitParameter] },
    videoId(service, 'owner_or_worker'),
    ({ params, query }, { video_id }) => {
      const { run_id } = params;
      if (!RunId.is(run_id)) return TE.left<NotShown>({ _tag: 'UnknownRun' });
      const ask = findRun(service, video_id, run_id);
      return pipe(
        TE.fromEither(waitOf(query)),
        TE.chainW(
          (seconds) => () =>
            longPoll({
              ask: () => share(`${video_id} ${run_id}`, ask),
              isReady: hasEnded,
              nextChange: () => service.queries.change({ run_id }),
              expiresInMs: (run) => staleIn(service, run),
              timeoutMs: seconds * 1_000,
            }),
        ),
        TE.map((run) => ({ body: run })),
      );
    },
  );
};

const workers: Finder<void, 'NotAuthorised'> = {
  access: ['admin', 'WORKER'],
  refuses: ['NotAuthorised'],
  find: ({ request: { caller } }) =>
    caller.admin || caller.permissions.has('WORKER')
      ? TE.right(undefined)
      : TE.left({ _tag: 'NotAuthorised', needs: 'WORKER' }),
};

interface Wanted {
  readonly state: RunState | null;
  readonly page: PageRequest;
  readonly seconds: number;
}

const stateOf = ({ state }: Query): E.Either<BadQuery, RunState | null> => {
  if (state === undefined) return E.right(null);
  return isRunState(state)
    ? E.right(state)
    : badQuery('state', 'must be in_flight, stale, completed, failed, superseded or erased');
};

const wanted = ({ query }: Call): E.Either<BadQuery, Wanted> =>
  together({ state: stateOf(query), page: pageRequest(query), seconds: waitOf(query) });

type NotListed = InvalidCursor | Gone | ReadModelBehind | ReadModelsUnavailable;

/** The runs of all videos, for workers. With `wait`, an empty list waits for a run. */
const all = (service: Service): Endpoint => {
  const { clock, stale_seconds } = service.app;
  const wait = waitForItems<NotListed, MatchRunView>();
  return withoutBody(
    { operation: 'runs.listAll', answer: MatchRunPage, query: [runStateParameter, waitParameter, ...pageParameters] },
    workers,
    (call) =>
      pipe(
        TE.fromEither<BadQuery | NotListed, Wanted>(wanted(call)),
        TE.chain(({ state, page, seconds }) => {
          const read = (portion: PageRequest): TE.TaskEither<NotListed, Listing<MatchRunView>> =>
            queryUpToDate(service, () =>
              service.queries.allMatchRuns(state, { at: clock.now(), stale_seconds }, portion),
            );
          const first = { ...page, limit: 1 };
          return pipe(
            wait({
              key: JSON.stringify([state, first]),
              first: read(first),
              nextChange: () => service.queries.change('match_runs'),
              seconds,
            }),
            TE.chainW(() =>
              listed(
                service,
                MatchRunPage,
                call,
                (portion) => pipe(read(portion), TE.chainW(carried(service))),
                (run) => shown(service, run),
              ),
            ),
          );
        }),
      ),
  );
};

/** Match runs, for the accounts that trigger them and the workers that answer them. */
export const matchRunEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  ofVideo(service),
  one(service),
  all(service),
];
