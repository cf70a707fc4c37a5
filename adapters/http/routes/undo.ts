import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../../../application/failures.js';
import type { EventsNotFound } from '../../../application/ports/request-events.js';
import type { UnknownEvent } from '../../../application/use-cases/undo/find-change.js';
import {
  changeOfAudio,
  changeOfVideo,
  revertAudioChange,
  revertVideoChange,
} from '../../../application/use-cases/undo/revert-change.js';
import type { UndoRefusal } from '../../../application/use-cases/undo/undone.js';
import type { Reverted } from '../../../application/use-cases/undo/reverted.js';
import { changeVideo } from '../../../application/use-cases/videos/change-video.js';
import { changesOfRun, revertMatchRun } from '../../../application/use-cases/match-runs/revert-match-run.js';
import { type AudioId, type VideoId, RunId } from '../../../domain/kernel/ids.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { attributesOf } from '../../../domain/video/face.js';
import type { VideoState } from '../../../domain/video/state.js';
import { RevertedChange, RevertedRun, UnmatchedFace, RevertBody } from '../codecs/matching.js';
import { numberInPath } from '../codecs/values.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Answer, Endpoint, Finder, IncomingRequest } from '../endpoint.js';
import { type Service, audio, revision, video, videoId } from '../service.js';

const undoRefusals = ['NotRevertible', 'NothingToRevert', 'TooManyDecisions', 'UnknownVideo', 'UnknownAudio'] as const;

/** The position in the path, if the record has a change there. */
const positionOf = (
  { app }: Service,
  { params: { position: text = '' } }: IncomingRequest,
  changeAt: (position: Position) => ReturnType<typeof changeOfVideo>,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, Position> => {
  const position = app.store.positionIn(text);
  if (position === null) return TE.left({ _tag: 'UnknownEvent', position: text });
  return pipe(
    changeAt(position),
    TE.map(() => position),
  );
};

/** Finds the change of a video at the position in the path. */
const changeOfVideoInPath = (
  service: Service,
): Finder<
  { readonly video_id: VideoId; readonly position: Position },
  'UnknownVideo' | 'NotAuthorised' | 'UnknownEvent'
> => {
  const { access, refuses, find } = videoId(service, 'owner');
  return {
    access,
    refuses: [...refuses, 'UnknownEvent'],
    find: (visit) =>
      pipe(
        find(visit),
        TE.bindW('position', ({ video_id }) =>
          positionOf(service, visit, (position) => changeOfVideo(service.app, video_id, position)),
        ),
      ),
    revisionOf: ({ video_id }) => revision(service.app.videos, video_id),
  };
};

/** Finds the change of an audio at the position in the path. */
const changeOfAudioInPath = (
  service: Service,
): Finder<
  { readonly audio_id: AudioId; readonly video_id: VideoId | null; readonly position: Position },
  'UnknownAudio' | 'NotAuthorised' | 'UnknownEvent'
> => {
  const { access, refuses, find } = audio(service, 'owner');
  return {
    access,
    refuses: [...refuses, 'UnknownEvent'],
    find: (visit) =>
      pipe(
        find(visit),
        TE.bindW('position', ({ audio_id, video_id }) =>
          positionOf(service, visit, (position) => changeOfAudio(service.app, audio_id, video_id, position)),
        ),
      ),
    revisionOf: ({ audio_id }) => revision(service.app.audios, audio_id),
  };
};

const answered = (
  position: Position,
  done: TE.TaskEither<UndoRefusal, Reverted>,
): TE.TaskEither<UndoRefusal, Answer<t.TypeOf<typeof RevertedChange>>> =>
  pipe(
    done,
    TE.chainW(({ reverted, changed_since }) => ok({ status: 'reverted', position, reverted, changed_since })),
  );

const onVideo = (service: Service): Endpoint =>
  withBody(
    { operation: 'videos.revert', answer: RevertedChange, refuses: undoRefusals },
    RevertBody,
    changeOfVideoInPath(service),
    ({ request }, { video_id, position }, { dry_run }) =>
      answered(position, revertVideoChange(service.app, request, video_id, { position, dry_run: dry_run ?? false })),
    { optional: true },
  );

const onAudio = (service: Service): Endpoint =>
  withBody(
    { operation: 'audios.revert', answer: RevertedChange, refuses: undoRefusals },
    RevertBody,
    changeOfAudioInPath(service),
    ({ request }, { audio_id, video_id, position }, { dry_run }) =>
      answered(
        position,
        revertAudioChange(service.app, request, audio_id, video_id, { position, dry_run: dry_run ?? false }),
      ),
    { optional: true },
  );

/** Finds the match run in the path. */
const runOfVideo = (
  service: Service,
): Finder<{ readonly video_id: VideoId; readonly run_id: RunId }, 'UnknownVideo' | 'NotAuthorised' | 'UnknownRun'> => {
  const { access, refuses, find } = videoId(service, 'owner');
  return {
    access,
    refuses: [...refuses, 'UnknownRun'],
    find: (visit) =>
      pipe(
        find(visit),
        TE.chainW(({ video_id }) => {
          const { run_id } = visit.params;
          return RunId.is(run_id)
            ? pipe(
                changesOfRun(service.app, video_id, run_id),
                TE.map(() => ({ video_id, run_id })),
              )
            : TE.left({ _tag: 'UnknownRun' as const });
        }),
      ),
    revisionOf: ({ video_id }) => revision(service.app.videos, video_id),
  };
};

const ofRun = (service: Service): Endpoint =>
  withBody(
    { operation: 'runs.revert', answer: RevertedRun, refuses: ['NothingToRevert', 'NotRevertible'] },
    RevertBody,
    runOfVideo(service),
    ({ request }, { video_id, run_id }, { dry_run }) =>
      pipe(
        revertMatchRun(service.app, request, video_id, run_id, dry_run ?? false),
        TE.chainW(({ reverted, changed_since }) => ok({ run_id, status: 'reverted', reverted, changed_since })),
      ),
    { optional: true },
  );

const shownFace = (state: VideoState, face_id: number) =>
  state._tag !== 'Registered'
    ? []
    : [...state.faces.values()]
        .filter((face) => face.face_id === face_id)
        .map((face) => ({ id: face.face_id, ...attributesOf(face) }));

const unmatch = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'matches.delete', answer: UnmatchedFace, refuses: ['VideoUnprocessed', 'UnknownFace'] },
    video(service, 'owner'),
    ({ params, request }, { video_id }) => {
      const face_id = numberInPath(params['face_id']);
      return pipe(
        changeVideo(service.app, request, video_id, { type: 'UnmatchFace', face_id, at: request.at }),
        TE.mapLeft((refusal) => (refusal._tag === 'InvalidFace' ? { _tag: 'UnknownFace' as const } : refusal)),
        TE.chainW((state) => ok({ status: 'completed', face: shownFace(state, face_id)[0] ?? null })),
      );
    },
  );

export const undoEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  onVideo(service),
  onAudio(service),
  ofRun(service),
  unmatch(service),
];
