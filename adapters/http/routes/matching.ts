import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { queueMatchRun, receiveWriteBack } from '../../../application/use-cases/match-runs/match-runs.js';
import type { WorkerAnswer, MatchCandidate } from '../../../domain/video/write-back.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import type { MatchMode } from '../../../domain/video/events.js';
import { videoRefusals } from '../../../domain/video/contract.js';
import * as matching from '../codecs/matching.js';
import { writeBackReader } from '../body-readers.js';
import { targetsOf } from '../codecs/values.js';
import { answering, ok, withBody } from '../declare-endpoint.js';
import type { Call, Endpoint } from '../endpoint.js';
import { video } from '../service.js';

const candidateIn = ({ face_id, accuracy, matched_speaker_id }: matching.WrittenCandidate): MatchCandidate => ({
  face_id,
  accuracy,
  matched_speaker_id: matched_speaker_id ?? null,
});

const answerIn = (body: matching.WriteBackBody): WorkerAnswer => {
  if (body.status === 'failed') return { status: 'failed', error: body.error ?? 'the worker gave no reason' };
  return {
    status: 'completed',
    matches: (body.matches ?? []).map(({ face_id, speaker_id, accuracy, channel, evidence }) => ({
      face_id,
      speaker_id,
      accuracy,
      channel: channel ?? 'co_occurrence',
      evidence: evidence ?? {},
    })),
    unmatched_speakers: (body.unmatched_speakers ?? []).map(({ speaker_id, reason, candidates, nobody }) => ({
      speaker_id,
      reason,
      ...(candidates === undefined || candidates === null ? {} : { candidates: candidates.map(candidateIn) }),
      ...(nobody === undefined || nobody === null ? {} : { nobody }),
    })),
  };
};

const aboutRuns =
  'Processes the given speakers, or all. The run is answered by a worker: the embedded one, or an external one if the embedded one is switched off. `runs.get` with `wait` returns when the run has ended. While a suggest run is in flight, further triggers of both modes are refused until it is stale. A commit run keeps none off: a trigger that comes before its result supersedes it.';

const startRun = (mode: MatchMode, message: string) =>
  [
    { answer: matching.StartedRun, refuses: videoRefusals.QueueMatchRun },
    matching.MatchRunBody,
    video('owner'),
    (
      { service: { app }, request }: Call,
      { video_id }: RegisteredVideo,
      { target_speaker_ids }: t.TypeOf<typeof matching.MatchRunBody>,
    ) =>
      pipe(
        TE.fromEither(
          target_speaker_ids === undefined || target_speaker_ids === null
            ? E.right(null)
            : targetsOf(target_speaker_ids),
        ),
        TE.chainW((targets) => queueMatchRun(app, request, video_id, mode, targets)),
        TE.chainW(({ run_id, audio_id }) => ok({ video_id, audio_id, status: 'processing', message, run_id })),
      ),
    { optional: true },
  ] as const;

export const matchingEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'matches.commit',
    'Match faces to speakers',
    'Commits matches made by a person; a block of suggestions is a valid body. The face and the speaker get the given name. A speaker has at most one face and a face at most one speaker: an earlier match is replaced.',
    { answer: matching.Completed, refuses: videoRefusals.MatchFaces },
    matching.MatchFacesBody,
    video('owner'),
    ({ service: { app }, request }, { video_id }, { mappings }) =>
      answering(matchFaces(app, request, video_id, mappings), () => ({
        status: 'completed',
        message: 'Speaker-face matching completed successfully',
      })),
  ),
  withBody(
    'matches.run',
    'Start a match run that commits',
    `The matches found are written to the faces. ${aboutRuns}`,
    ...startRun('commit', 'Speaker-face matching started'),
  ),
  withBody(
    'matches.suggest',
    'Start a match run that suggests',
    `The matches found are stored as suggestions. ${aboutRuns}`,
    ...startRun('suggest', 'Speaker-face suggestions are being computed'),
  ),
  withBody(
    'matches.writeBack',
    'Write back the result of a match run',
    'For workers. With `run_id` the result applies to that run only, and changes nothing if the run has ended or was superseded.',
    {
      answer: matching.WriteBackReceipt,
      refuses: [
        'SpeakerNotTargeted',
        'AudioMissing',
        'DuplicateFace',
        'DuplicateSpeaker',
        'InvalidFace',
        'InvalidSpeaker',
        'UnknownRun',
      ],
    },
    writeBackReader,
    video('worker'),
    ({ service: { app }, request }, { video_id }, body) =>
      answering(
        receiveWriteBack(app, request, video_id, body.run_id ?? null, answerIn(body), body.video_revision ?? null),
        ({ status, run_id, reason, skipped }) => ({
          status,
          run_id,
          ...(reason === null ? {} : { reason }),
          ...(skipped === undefined ? {} : { skipped }),
        }),
      ),
  ),
];
