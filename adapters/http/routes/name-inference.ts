import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { estimateCost } from '../../../application/name-inference/estimate-cost.js';
import { inferNames, unclaimed } from '../../../application/name-inference/infer-names.js';
import type { NameRequest } from '../../../application/name-inference/name-request.js';
import type { NameInference } from '../../../application/name-inference/name-inference.js';
import { type Answered, oncePerKey } from '../../../application/name-inference/once-per-key.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import { creditsNumber } from '../../../domain/kernel/credits.js';
import type { InferenceMode } from '../../../domain/name-inference/contract.js';
import { NameInferenceBody } from '../codecs/name-inference.js';
import { targetsOf } from '../codecs/targets.js';
import { type Answer, type Endpoint, ok, withBody } from '../endpoint.js';
import { idempotencyKeyOf } from '../headers.js';
import type { Refusal } from '../refusals.js';
import { type Service, audio } from '../service.js';

const requestOf = (
  found: RegisteredAudio,
  mode: InferenceMode,
  { target_speaker_ids: named, infer_roles }: NameInferenceBody,
): TE.TaskEither<Refusal, NameRequest> =>
  pipe(
    TE.fromEither(targetsOf(named)),
    TE.map((target_speaker_ids) => ({ audio: found, mode, target_speaker_ids, infer_roles: infer_roles ?? false })),
  );

const rows = ({ run_id, model, results, replayed }: Answered): Answer => ({
  body: results,
  headers: { 'X-Run-Id': run_id, 'X-Model': model, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) },
});

const infer = (service: Service, inference: NameInference, mode: InferenceMode): Endpoint =>
  withBody(
    mode === 'commit' ? 'names.infer' : 'names.suggest',
    NameInferenceBody,
    audio(service, 'owner_or_media_write'),
    ({ headers, request }, found, body) =>
      pipe(
        TE.Do,
        TE.bind('asked', () => requestOf(found, mode, body)),
        TE.bind('key', () => TE.fromEither<Refusal, string | null>(idempotencyKeyOf(headers))),
        TE.chain(({ asked, key }): TE.TaskEither<Refusal, Answered> =>
          key === null
            ? pipe(
                inferNames(service.app, inference, request, asked, unclaimed),
                TE.map((names) => ({ ...names, replayed: false })),
              )
            : oncePerKey(service.app, inference, request, asked, key),
        ),
        TE.map(rows),
      ),
    { ownKey: true },
  );

const estimate = (service: Service, inference: NameInference): Endpoint =>
  withBody(
    'names.estimate',
    NameInferenceBody,
    audio(service, 'owner_or_media_write'),
    ({ request }, found, body) =>
      pipe(
        requestOf(found, 'suggest', body),
        TE.chainW((asked) => estimateCost(service.app, inference, request, asked)),
        TE.chainW(({ least, most, balance, admitted }) =>
          ok({
            credits_min: creditsNumber(least),
            credits_max: creditsNumber(most),
            balance: creditsNumber(balance),
            admitted,
          }),
        ),
      ),
    { ownKey: true },
  );

export const nameInferenceEndpoints = (service: Service, inference: NameInference): ReadonlyArray<Endpoint> => [
  infer(service, inference, 'commit'),
  infer(service, inference, 'suggest'),
  estimate(service, inference),
];
