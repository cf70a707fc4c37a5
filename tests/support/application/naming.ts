import * as TE from 'fp-ts/lib/TaskEither.js';
import { type NameInference, type NameRequest } from '../../../application/name-inference/name-inference.js';
import type { NameModel } from '../../../application/ports/name-model.js';
import { keyedQueue } from '../../../application/waiting.js';
import { bookCredits } from '../../../application/use-cases/credits/credits.js';
import { credits } from '../credits.js';
import { succeeded } from '../event-store/outcomes.js';
import { accountId, audioId, speakerId } from '../values.js';
import { audioState } from './media.js';
import type { World } from './world.js';
import { foundSpeakers, recordAudioAnalysis } from './record.js';
import { ground } from '../../../domain/grounding/ground.js';

/** Name inference by a model with a fixed number of tokens, at 1 credit a call and a price of tokens. */
export const inferenceBy = (
  name: string,
  infer: NameModel['infer'],
  { tokens = 0, per_1k_tokens = '0', timeout_seconds = 60 } = {},
): NameInference => ({
  model: { name, estimate: () => ({ least: tokens, most: tokens }), infer },
  ground: (grounding) => TE.fromIO(() => ground(grounding)),
  price: { base: credits('1'), per_1k_tokens: credits(per_1k_tokens) },
  timeout_seconds,
  running: keyedQueue(),
});

/** Name inference by a model that always proposes Ada, at 1 credit a call; `calls` returns the number of calls. */
export const inferenceOfAda = (
  timeout_seconds = 60,
): { readonly inference: NameInference; readonly calls: () => number } => {
  let calls = 0;
  const proposals = [
    { speaker_id: speakerId(1), name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' },
  ];
  const infer = () => {
    calls += 1;
    return TE.right({ proposals, total_tokens: 0 });
  };
  return { calls: () => calls, inference: inferenceBy('always Ada', infer, { timeout_seconds }) };
};

/** Records a transcript in which speaker 1 says that she is Ada, and gives the owner credits. */
export const recordAdaSpeaking = async (place: World, id: string): Promise<void> => {
  const { app, request } = place;
  const time = { start: 0, end: 4 };
  const spoken = { turns: [{ speaker_id: speakerId(1), ...time }] };
  const transcript = [{ speaker_id: speakerId(1), ...time, text: 'Hello, my name is Ada Lovelace.' }];
  const analysis = foundSpeakers(
    [
      [1, null],
      [2, null],
    ],
    { ...spoken, transcript },
  );
  await succeeded(recordAudioAnalysis(app, request(), audioId(id), analysis));
  await succeeded(bookCredits(app, request(), accountId('owner'), credits('10'), 'for a test'));
};

/** A request to infer the name of speaker 1. */
export const requestForAda = async (place: World, id: string, mode: NameRequest['mode']): Promise<NameRequest> => ({
  audio: await audioState(place, id),
  mode,
  target_speaker_ids: [speakerId(1)],
  infer_roles: false,
  max_credits: null,
});
