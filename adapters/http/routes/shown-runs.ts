import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type LinkDecision, standingDecisions } from '../../../projections/link-decisions.js';
import type { Listing, ReadModelsUnavailable } from '../../../projections/queries.js';
import { type RunState, runState } from '../../../projections/run-status.js';
import type { MatchRunView } from '../../../projections/views.js';
import type { Service } from '../service.js';

const stateOf = (service: Service, run: MatchRunView): RunState =>
  runState(run, service.app.clock.now(), service.app.stale_seconds);

interface CarriedRun {
  readonly run: MatchRunView;
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export type ShownRun = MatchRunView & { readonly state: RunState; readonly decisions: CarriedRun['decisions'] };

export const shown = (service: Service, { run, decisions }: CarriedRun): ShownRun => ({
  ...run,
  state: stateOf(service, run),
  decisions,
});

/** Adds the decisions about their videos, which a worker must respect. */
export const withDecisions = (
  service: Service,
  runs: ReadonlyArray<MatchRunView>,
): TE.TaskEither<ReadModelsUnavailable, ReadonlyArray<CarriedRun>> =>
  pipe(
    [...new Set(runs.flatMap(({ video_id }) => video_id ?? []))],
    TE.traverseSeqArray((video_id) =>
      pipe(
        service.queries.video(video_id),
        TE.map((view) => [video_id, standingDecisions(view?.decisions ?? [])] as const),
      ),
    ),
    TE.map((found) => new Map(found)),
    TE.map((found) =>
      runs.map((run) => ({ run, decisions: (run.video_id === null ? undefined : found.get(run.video_id)) ?? [] })),
    ),
  );

export const carried =
  (service: Service) =>
  (listing: Listing<MatchRunView>): TE.TaskEither<ReadModelsUnavailable, Listing<CarriedRun>> =>
    pipe(
      withDecisions(service, listing.items),
      TE.map((items) => ({ ...listing, items })),
    );
