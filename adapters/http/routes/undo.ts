import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type Reverted,
  type UndoRefusal,
  revertAudioChange,
  revertVideoChange,
} from '../../../application/use-cases/undo/revert-change.js';
import { type FoundChange, findChange } from '../../../application/use-cases/undo/find-change.js';
import { changesOfRun, revertMatchRun } from '../../../application/use-cases/match-runs/match-runs.js';
import { RunId } from '../../../domain/kernel/ids.js';
import { attributesOf } from '../../../domain/video/changes.js';
import type { VideoState } from '../../../domain/video/state.js';
import { RevertedChange, RevertedRun, UnmatchedFace, RevertBody } from '../codecs/matching.js';
import { numberInPath } from '../codecs/values.js';
import { answering, ok, withBody, withoutBody } from '../declare-endpoint.js';
import { audio, video, within } from '../finders.js';
import type { Answer, Endpoint, IncomingRequest, Refusable } from '../endpoint.js';

const undoRefusals = ['NotRevertible', 'NothingToRevert', 'TooManyDecisions', 'UnknownVideo', 'UnknownAudio'] as const;

/** The change of a record at the position in the path. */
const changeInPath = (
  { service: { app }, params: { position: text = '' } }: IncomingRequest,
  stream: string,
  linked: string | null,
) => {
  const position = app.store.positionIn(text);
  if (position === null) return TE.left({ _tag: 'UnknownEvent' as const, position: text });
  return pipe(
    findChange(app, stream, linked, position),
    TE.map((change) => ({ change })),
  );
};

const changeOfVideo = within(video('owner'), 'UnknownEvent', (visit, { video_id, audio_id }) =>
  changeInPath(visit, `video-${video_id}`, audio_id && `audio-${audio_id}`),
);
const changeOfAudio = within(audio('owner'), 'UnknownEvent', (visit, { audio_id, video_id }) =>
  changeInPath(visit, `audio-${audio_id}`, video_id && `video-${video_id}`),
);

/** Finds the match run in the path. */
const runOfVideo = within(
  video('owner'),
  'UnknownRun',
  ({ service: { app }, params: { run_id } }, { video_id }): TE.TaskEither<Refusable<'UnknownRun'>, { run_id: RunId }> =>
    RunId.is(run_id)
      ? pipe(
          changesOfRun(app, video_id, run_id),
          TE.map(() => ({ run_id })),
        )
      : TE.left({ _tag: 'UnknownRun' }),
);

const answered = (
  { position }: FoundChange,
  done: TE.TaskEither<UndoRefusal, Reverted>,
): TE.TaskEither<UndoRefusal, Answer<t.TypeOf<typeof RevertedChange>>> =>
  answering(done, (undone) => ({ status: 'reverted', position, ...undone }));

const aboutUndo =
  'Reverts everything that the request which wrote the event at `position` changed, on the video and its audio. Each field that still has the value written then gets its previous value; fields changed since keep their value and are listed in `changed_since`. With `dry_run` nothing is written.';

const shownFace = (state: VideoState, face_id: number) =>
  state._tag !== 'Registered'
    ? []
    : [...state.faces.values()]
        .filter((face) => face.face_id === face_id)
        .map((face) => ({ id: face.face_id, ...attributesOf(face) }));

export const undoEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'videos.revert',
    'Revert a change of a video',
    aboutUndo,
    changeOfVideo,
    { body: RevertBody, answer: RevertedChange, refuses: undoRefusals },
    ({ service: { app }, request }, { video_id, change }, { dry_run }) =>
      answered(change, revertVideoChange(app, request, video_id, change, dry_run ?? false)),
  ),
  withBody(
    'audios.revert',
    'Revert a change of an audio',
    aboutUndo,
    changeOfAudio,
    { body: RevertBody, answer: RevertedChange, refuses: undoRefusals },
    ({ service: { app }, request }, { audio_id, video_id, change }, { dry_run }) =>
      answered(change, revertAudioChange(app, request, { audio_id, video_id }, change, dry_run ?? false)),
  ),
  withBody(
    'runs.revert',
    'Revert a match run',
    'Restores the faces changed by the run. Faces changed since are not restored and are listed in `changed_since`.',
    runOfVideo,
    { body: RevertBody, answer: RevertedRun, refuses: ['NothingToRevert', 'NotRevertible'] },
    ({ service: { app }, request }, { video_id, run_id }, { dry_run }) =>
      answering(revertMatchRun(app, request, video_id, run_id, dry_run ?? false), (undone) => ({
        run_id,
        status: 'reverted',
        ...undone,
      })),
  ),
  withoutBody(
    'matches.delete',
    'Remove the match of a face',
    'Also clears its personality data. Names are kept.',
    video('owner'),
    { answer: UnmatchedFace, refuses: ['VideoUnprocessed', 'UnknownFace'] },
    ({ service: { app }, params, request }, { video_id }) => {
      const face_id = numberInPath(params['face_id']);
      return pipe(
        app.perform(request, 'videos', video_id, { type: 'UnmatchFace', face_id, at: request.at }),
        TE.mapLeft((refusal) => (refusal._tag === 'InvalidFace' ? { _tag: 'UnknownFace' as const } : refusal)),
        TE.chainW(({ state }) => ok({ status: 'completed', face: shownFace(state, face_id)[0] ?? null })),
      );
    },
  ),
];
