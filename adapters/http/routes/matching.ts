import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { queueMatchRun } from '../../../application/use-cases/match-runs/queue-match-run.js';
import { receiveWriteBack } from '../../../application/use-cases/match-runs/receive-write-back.js';
import type { WorkerAnswer, MatchCandidate } from '../../../domain/video/suggestion-block.js';
import type { MatchMode } from '../../../domain/video/events.js';
import { videoRefusals } from '../../../domain/video/refusals.js';
import {
  Completed,
  StartedRun,
  WriteBackReceipt,
  type WriteBackBody,
  type WrittenCandidate,
  MatchFacesBody,
  MatchRunBody,
} from '../codecs/matching.js';
import { writeBackReader } from '../body-readers.js';
import { targetsOf } from '../codecs/values.js';
import { ok, withBody, withReader } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Service, videoId } from '../service.js';

const putMatch = (service: Service): Endpoint =>
  withBody(
    { operation: 'matches.commit', answer: Completed, refuses: videoRefusals.MatchFaces },
    MatchFacesBody,
    videoId(service, 'owner'),
    ({ request }, { video_id }, { mappings }) =>
      pipe(
        matchFaces(service.app, request, video_id, mappings),
        TE.chainW(() => ok({ status: 'completed', message: 'Speaker-face matching completed successfully' })),
      ),
  );

const trigger = (service: Service, mode: MatchMode): Endpoint =>
  withBody(
    {
      operation: mode === 'commit' ? 'matches.run' : 'matches.suggest',
      answer: StartedRun,
      refuses: videoRefusals.QueueMatchRun,
    },
    MatchRunBody,
    videoId(service, 'owner'),
    ({ request }, { video_id }, { target_speaker_ids }) =>
      pipe(
        TE.fromEither(
          target_speaker_ids === undefined || target_speaker_ids === null
            ? E.right(null)
            : targetsOf(target_speaker_ids),
        ),
        TE.chainW((targets) => queueMatchRun(service.app, request, video_id, mode, targets)),
        TE.chainW(({ run_id, audio_id }) =>
          ok({
            video_id,
            audio_id,
            status: 'processing',
            message:
              mode === 'suggest' ? 'Speaker-face suggestions are being computed' : 'Speaker-face matching started',
            run_id,
          }),
        ),
      ),
    { optional: true },
  );

const candidateIn = ({ face_id, accuracy, matched_speaker_id }: WrittenCandidate): MatchCandidate => ({
  face_id,
  accuracy,
  matched_speaker_id: matched_speaker_id ?? null,
});

const answerIn = (body: WriteBackBody): WorkerAnswer => {
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

const writeBack = (service: Service): Endpoint =>
  withReader(
    {
      operation: 'matches.writeBack',
      answer: WriteBackReceipt,
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
    videoId(service, 'worker'),
    ({ request }, { video_id }, body) =>
      pipe(
        TE.of(body),
        TE.chainW(({ run_id = null, video_revision = null }) =>
          receiveWriteBack(service.app, request, video_id, run_id, answerIn(body), video_revision),
        ),
        TE.chainW(({ status, run_id, reason, skipped }) =>
          ok({
            status,
            run_id,
            ...(reason === null ? {} : { reason }),
            ...(skipped === undefined ? {} : { skipped }),
          }),
        ),
      ),
  );

export const matchingEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  putMatch(service),
  trigger(service, 'commit'),
  trigger(service, 'suggest'),
  writeBack(service),
];
