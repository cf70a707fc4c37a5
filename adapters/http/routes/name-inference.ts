import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type InferredNames,
  type NameRequest,
  estimateCost,
} from '../../../application/name-inference/name-inference.js';
import { inferNames, interruptedRun } from '../../../application/name-inference/infer-names.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import { ResultRow } from '../../../domain/grounding/result-row.js';
import { RunId } from '../../../domain/kernel/ids.js';
import type { InferenceMode } from '../../../domain/name-inference/contract.js';
import { creditAccountRefusals, isAdmissionRefusal, refusalReasons } from '../../../domain/credit-account/contract.js';
import { CostEstimate } from '../codecs/access.js';
import type { OperationId } from '../../runtime/operations.js';
import type { Answer, Endpoint, Refused } from '../endpoint.js';
import { NameInferenceBody } from '../codecs/media.js';
import { targetsOf } from '../codecs/values.js';
import { ok, withBody } from '../declare-endpoint.js';
import { audio } from '../finders.js';
import { withTranscript } from '../paged-answer.js';

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

const aboutInference =
  'Requires available credit; the price depends on the tokens that the model reports. Repeating a request with the same idempotency key within 24 hours returns the first answer and is not charged.';

const infer = (operation: OperationId, summary: string, about: string, mode: InferenceMode): Endpoint =>
  withBody(
    operation,
    summary,
    `${about} ${aboutInference}`,
    audio('owner_or_media_write'),
    {
      body: NameInferenceBody,
      answer: NameRows,
      refuses: [...inquiryRefusals, ...creditAccountRefusals.HoldCredits, 'NameModelFailed', 'RunTakenOver'],
      headers: ['X-Run-Id', 'X-Model'],
      interrupted:
        ({ service: { app } }, request) =>
        (id) =>
          RunId.is(id) ? interruptedRun(app, request, id) : TE.right('start_over'),
      abandoned_after_seconds: ({ service: { inference } }) => inference.timeout_seconds + graceSeconds,
    },
    (call, found, body) => {
      const { app, inference } = call.service;
      return pipe(
        requestOf(found, mode, body),
        TE.chainW((asked) => withTranscript(call, found, inferNames(app, inference, call.request, asked))),
        TE.map(rows),
      );
    },
  );

export const nameInferenceEndpoints: ReadonlyArray<Endpoint> = [
  infer(
    'names.infer',
    'Infer and write names of speakers',
    'Writes the names that the transcript supports, and roles if requested.',
    'commit',
  ),
  infer(
    'names.suggest',
    'Infer names of speakers without writing them',
    'Returns for each speaker the inferred name, or why there is none.',
    'suggest',
  ),
  withBody(
    'names.estimate',
    'Estimate the cost of an inference',
    'Free of charge. Calls no model and writes nothing.',
    audio('owner_or_media_write'),
    { body: NameInferenceBody, answer: CostEstimate, refuses: inquiryRefusals, ignoresKey: true },
    (call, found, body) =>
      pipe(
        requestOf(found, 'suggest', body),
        TE.chainW((asked) =>
          withTranscript(call, found, estimateCost(call.service.app, call.service.inference, call.request, asked)),
        ),
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
  ),
];
