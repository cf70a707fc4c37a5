import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { SuggestionBlock } from '../../../domain/video/suggestion-block.js';
import { statusAnswer } from '../../../projections/run-status.js';
import type { VideoView } from '../../../projections/views.js';
import { Statuses } from '../answers/matching.js';
import type { Answer, Call, Endpoint, Refused } from '../endpoint.js';
import { ok, withoutBody } from '../declare-endpoint.js';
import { runStatusParameter } from '../parameters.js';
import { flag } from '../query.js';
import { type Service, queryUpToDate, videoId } from '../service.js';

type Unseen = Refused<'UnknownVideo' | 'ReadModelBehind' | 'ReadModelsUnavailable'>;

const viewOf = (service: Service, video_id: VideoId): TE.TaskEither<Unseen, VideoView> =>
  pipe(
    queryUpToDate(service, () => service.queries.video(video_id)),
    TE.chain((view) => (view === null ? TE.left<Unseen>({ _tag: 'UnknownVideo' }) : TE.right(view))),
  );

const statusAt = (service: Service, view: VideoView, { request }: Call) =>
  statusAnswer(view, request.at, service.app.stale_seconds);

const statuses = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'matches.status', answer: Statuses, query: [runStatusParameter] },
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) =>
      pipe(
        TE.fromEither(flag(call.query, 'speaker_face_match_status')),
        TE.bindTo('ofRun'),
        TE.bindW('view', () => viewOf(service, video_id)),
        TE.chainW(({ ofRun, view }) =>
          ok(ofRun === true ? statusAt(service, view, call) : { status: view.record.status }),
        ),
      ),
  );

/** 404 while a run is in flight, and if no suggestions were ever stored (specification, section 3). */
const suggestions = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'matches.suggestions', answer: SuggestionBlock, refuses: ['SuggestionsPending', 'NoSuggestions'] },
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) =>
      pipe(
        viewOf(service, video_id),
        TE.chainW((view): TE.TaskEither<Refused<'SuggestionsPending' | 'NoSuggestions'>, Answer<SuggestionBlock>> => {
          const block = view.record.speaker_face_match.suggestions;
          if (statusAt(service, view, call).in_flight) return TE.left({ _tag: 'SuggestionsPending' });
          return block === null ? TE.left({ _tag: 'NoSuggestions' }) : ok(block);
        }),
      ),
  );

export const matchStatusEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  statuses(service),
  suggestions(service),
];
