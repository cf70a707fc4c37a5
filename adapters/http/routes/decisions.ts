import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { decideLinks } from '../../../application/use-cases/videos/change-video.js';
import { standingDecisions } from '../../../projections/link-decisions.js';
import { videoRefusals } from '../../../domain/video/refusals.js';
import { Completed, Decisions } from '../answers/matching.js';
import { yieldForText } from '../../runtime/event-loop.js';
import { DecisionsBody } from '../codecs/decisions.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Service, asked, videoId } from '../service.js';

const decide = (service: Service): Endpoint =>
  withBody(
    { operation: 'decisions.create', answer: Completed, refuses: videoRefusals.DecideLinks },
    DecisionsBody,
    videoId(service, 'owner'),
    ({ request }, { video_id }, { decisions }) =>
      pipe(
        decideLinks(service.app, request, video_id, decisions),
        TE.chainW(() => ok({ status: 'completed', message: 'The decisions were recorded' })),
      ),
  );

/** About so many characters tell one decision. */
const lengthOfOne = 150;

const show = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'decisions.list', answer: Decisions },
    videoId(service, 'owner_or_worker'),
    (_call, { video_id }) =>
      pipe(
        asked(service, () => service.queries.video(video_id)),
        TE.chainFirstTaskK((view) => () => yieldForText((view?.decisions.length ?? 0) * lengthOfOne)),
        TE.chainW((view) =>
          view === null
            ? TE.left({ _tag: 'UnknownVideo' as const })
            : ok({ decisions: standingDecisions(view.decisions) }),
        ),
      ),
  );

/** What people decide of a video's faces and speakers (contract, Decisions of people). */
export const decisionEndpoints = (service: Service): ReadonlyArray<Endpoint> => [decide(service), show(service)];
