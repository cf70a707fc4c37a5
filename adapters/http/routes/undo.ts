import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { revertAudioChange, revertVideoChange } from '../../../application/use-cases/undo/revert-change.js';
import type { RevertWanted, UndoRefusal } from '../../../application/use-cases/undo/undone.js';
import type { Reverted } from '../../../application/use-cases/undo/reverted.js';
import { changeVideo } from '../../../application/use-cases/videos/change-video.js';
import { revertMatchRun } from '../../../application/use-cases/match-runs/revert-match-run.js';
import { RunId } from '../../../domain/kernel/ids.js';
import { attributesOf } from '../../../domain/video/face.js';
import type { VideoState } from '../../../domain/video/state.js';
import { RevertedChange, RevertedRun, UnmatchedFace } from '../answers/matching.js';
import { RevertBody } from '../codecs/matching.js';
import { numberInPath } from '../codecs/values.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Answer, Call, Endpoint } from '../endpoint.js';
import { type Service, audio, video } from '../service.js';

const undoRefusals = [
  'UnknownEvent',
  'NotRevertible',
  'NothingToRevert',
  'TooManyDecisions',
  'UnknownVideo',
  'UnknownAudio',
] as const;

/** Reverts the change at the position in the path. */
const reverted = (
  { app }: Service,
  { params: { position = '' } }: Call,
  dry_run: boolean,
  revert: (wanted: RevertWanted) => TE.TaskEither<UndoRefusal, Reverted>,
): TE.TaskEither<UndoRefusal, Answer<t.TypeOf<typeof RevertedChange>>> =>
  app.store.isPosition(position)
    ? pipe(
        revert({ position, dry_run }),
        TE.chainW(({ reverted: done, changed_since }) =>
          ok({ status: 'reverted', position, reverted: done, changed_since }),
        ),
      )
    : TE.left({ _tag: 'UnknownEvent', position });

const onVideo = (service: Service): Endpoint =>
  withBody(
    { operation: 'videos.revert', answer: RevertedChange, refuses: undoRefusals },
    RevertBody,
    video(service, 'owner'),
    (call, { video_id }, { dry_run }) =>
      reverted(service, call, dry_run ?? false, (wanted) =>
        revertVideoChange(service.app, call.request, video_id, wanted),
      ),
    { optional: true },
  );

const onAudio = (service: Service): Endpoint =>
  withBody(
    { operation: 'audios.revert', answer: RevertedChange, refuses: undoRefusals },
    RevertBody,
    audio(service, 'owner'),
    (call, { audio_id, video_id }, { dry_run }) =>
      reverted(service, call, dry_run ?? false, (wanted) =>
        revertAudioChange(service.app, call.request, audio_id, video_id, wanted),
      ),
    { optional: true },
  );

const ofRun = (service: Service): Endpoint =>
  withBody(
    { operation: 'runs.revert', answer: RevertedRun, refuses: ['UnknownRun', 'NothingToRevert'] },
    RevertBody,
    video(service, 'owner'),
    (call, { video_id }, { dry_run }) => {
      const { run_id } = call.params;
      if (!RunId.is(run_id)) return TE.left({ _tag: 'UnknownRun' });
      return pipe(
        revertMatchRun(service.app, call.request, video_id, run_id, dry_run ?? false),
        TE.chainW(({ reverted: done, changed_since }) =>
          ok({ run_id, status: 'reverted', reverted: done, changed_since }),
        ),
      );
    },
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
