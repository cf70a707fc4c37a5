import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { estimateCost } from '../../../application/name-inference/estimate-cost.js';
import { inferNames, interruptedRun } from '../../../application/name-inference/infer-names.js';
import type { InferredNames, NameRequest, NameInference } from '../../../application/name-inference/name-inference.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import { ResultRow } from '../../../domain/grounding/result-row.js';
import { RunId } from '../../../domain/kernel/ids.js';
import type { InferenceMode } from '../../../domain/name-inference/contract.js';
import { isAdmissionRefusal, refusalReasons } from '../../../domain/credit-account/contract.js';
import { CostEstimate } from '../codecs/access.js';
import type { Answer, Endpoint, Refused } from '../endpoint.js';
import { NameInferenceBody } from '../codecs/media.js';
import { targetsOf } from '../codecs/values.js';
import { ok, withBody } from '../declare-endpoint.js';
import { withTranscript } from '../read-in-turn.js';
import { type Service, audio } from '../service.js';

const inquiryRefusals = [
  'EmptyTargets',
  'TargetNotInAudio',
  'SyntheticTarget',
  'ParentMissing',
  'IneligibleAudio',
  'AudioNotCompleted',
  'TranscriptNotReady',
] as const;

const NameRows = t.readonlyArray(ResultRow);

const requestOf = (
  found: RegisteredAudio,
  mode: InferenceMode,
  { target_speaker_ids: named, infer_roles, max_credits }: NameInferenceBody,
): TE.TaskEither<Refused<'TargetNotInAudio'>, NameRequest> =>
  pipe(
    TE.fromEither(targetsOf(named)),
    TE.map((target_speaker_ids) => ({
      audio: found,
      mode,
      target_speaker_ids,
      infer_roles: infer_roles ?? false,
      max_credits: max_credits ?? null,
    })),
  );

const rows = ({ run_id, model, results, replayed }: InferredNames): Answer<t.TypeOf<typeof NameRows>> => ({
  body: results,
  headers: { 'X-Run-Id': run_id, 'X-Model': model, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) },
});

/** Added to the model's time limit, for storing the answer. */
const graceSeconds = 5;

const infer = (service: Service, inference: NameInference, mode: InferenceMode): Endpoint =>
  withBody(
    {
      operation: mode === 'commit' ? 'names.infer' : 'names.suggest',
      answer: NameRows,
      refuses: [
        ...inquiryRefusals,
        'ZeroBalance',
        'NegativeBalance',
        'WindowUsedUp',
        'AllCreditsHeld',
        'AboveMaxCredits',
        'NameModelFailed',
        'RunTakenOver',
      ],
      headers: ['X-Run-Id', 'X-Model'],
    },
    NameInferenceBody,
    audio(service, 'owner_or_media_write'),
    (call, found, body) =>
      pipe(
        requestOf(found, mode, body),
        TE.chainW((asked) => withTranscript(call, found, inferNames(service.app, inference, call.request, asked))),
        TE.map(rows),
      ),
    {
      interrupted: (request) => (id) => (RunId.is(id) ? interruptedRun(service.app, request, id) : TE.right('anew')),
      abandoned_after_seconds: inference.timeout_seconds + graceSeconds,
    },
  );

const estimate = (service: Service, inference: NameInference): Endpoint =>
  withBody(
    { operation: 'names.estimate', answer: CostEstimate, refuses: inquiryRefusals },
    NameInferenceBody,
    audio(service, 'owner_or_media_write'),
    (call, found, body) =>
      pipe(
        requestOf(found, 'suggest', body),
        TE.chainW((asked) => withTranscript(call, found, estimateCost(service.app, inference, call.request, asked))),
        TE.chainW(({ least, most, balance, refusal }) =>
          ok({
            credits_min: least,
            credits_max: most,
            balance,
            admitted: refusal === null,
            reason: refusal !== null && isAdmissionRefusal(refusal) ? refusalReasons[refusal._tag] : null,
          }),
        ),
      ),
    { ignoresKey: true },
  );

export const nameInferenceEndpoints = (service: Service, inference: NameInference): ReadonlyArray<Endpoint> => [
  infer(service, inference, 'commit'),
  infer(service, inference, 'suggest'),
  estimate(service, inference),
];
