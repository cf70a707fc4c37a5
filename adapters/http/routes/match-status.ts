import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { statusAnswer } from '../../../projections/run-status.js';
import type { VideoView } from '../../../projections/views.js';
import { type Call, type Endpoint, ok, withoutBody } from '../endpoint.js';
import { flag } from '../query.js';
import type { Refusal } from '../refusals.js';
import { type Service, asked, videoId } from '../service.js';

const viewOf = (service: Service, video_id: VideoId): TE.TaskEither<Refusal, VideoView> =>
  pipe(
    asked(service, () => service.queries.video(video_id)),
    TE.chain((view) => (view === null ? TE.left<Refusal>({ _tag: 'UnknownVideo' }) : TE.right(view))),
  );

const statusAt = (service: Service, view: VideoView, { request }: Call) =>
  statusAnswer(view, request.at, service.app.stale_seconds);

const statuses = (service: Service): Endpoint =>
  withoutBody(
    'matches.status',
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) =>
      pipe(
        TE.fromEither<Refusal, boolean | null>(flag(call.query, 'speaker_face_match_status')),
        TE.bindTo('ofRun'),
        TE.bind('view', () => viewOf(service, video_id)),
        TE.chain(({ ofRun, view }) =>
          ok(ofRun === true ? statusAt(service, view, call) : { status: view.record.status }),
        ),
      ),
    ['speaker_face_match_status'],
  );

/** 404 while a run is in flight, and where no block was ever stored (specification, section 3). */
const suggestions = (service: Service): Endpoint =>
  withoutBody('matches.suggestions', videoId(service, 'owner_or_worker'), (call, { video_id }) =>
    pipe(
      viewOf(service, video_id),
      TE.chain((view) => {
        const block = view.record.speaker_face_match.suggestions;
        if (statusAt(service, view, call).in_flight) return TE.left<Refusal>({ _tag: 'SuggestionsPending' });
        return block === null ? TE.left<Refusal>({ _tag: 'NoSuggestions' }) : ok(block);
      }),
    ),
  );

export const matchStatusEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  statuses(service),
  suggestions(service),
];
