import * as TE from 'fp-ts/lib/TaskEither.js';
import { inferNames } from '../../application/name-inference/infer-names.js';
import type { NameInference } from '../../application/name-inference/name-inference.js';
import type { NameModel } from '../../application/ports/name-model.js';
import { keyedQueue } from '../../application/waiting.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { registerAudio } from '../../application/use-cases/videos/register.js';
import { audio, audioState } from './application/media.js';
import type { World } from './application/world.js';
import { credits } from './credits.js';
import { failed, succeeded } from './event-store/outcomes.js';
import { accountId, audioId, speakerId } from './values.js';
import { recordAudioAnalysis } from './application/record.js';
import { groundAtOnce } from './ground-at-once.js';

const said = 'Good morning, my name is Ann Example, how can I help you?';

const answers: NameModel['infer'] = () =>
  TE.right({
    proposals: [
      {
        speaker_id: speakerId(1),
        name: 'Ann Example',
        quote: 'my name is Ann Example',
        pattern: 'self_introduction',
        role: 'agent',
        role_quote: 'how can I help you',
      },
    ],
    total_tokens: 11,
  });
const fails: NameModel['infer'] = () => TE.left({ _tag: 'NameModelFailed', reason: 'no answer within 60 s' });

const inferenceBy = (infer: NameModel['infer']): NameInference => ({
  model: { name: 'recorded', estimate: () => ({ least: 11, most: 11 }), infer },
  ground: groundAtOnce,
  price: { base: credits('1'), per_1k_tokens: credits('0.1') },
  timeout_seconds: 60,
  running: keyedQueue(),
});

/** A committing inference with a key that answers, and one that fails. */
export const recordInferences = async (place: World): Promise<void> => {
  const { app, request, pass } = place;
  const call = audioId('call');
  const deal_persons = [{ person_id: 'p9', name: 'Ann Example' }];
  await succeeded(registerAudio(app, request(), { ...audio('call'), deal_persons }));
  const at = { start: 0, end: 4 };
  const speaker = { name: null, role: undefined, synthetic: false };
  await succeeded(
    recordAudioAnalysis(app, request(), call, {
      status: 'completed',
      speakers: [1, 2].map((id) => ({ ...speaker, speaker_id: speakerId(id) })),
      turns: [{ speaker_id: speakerId(1), ...at }],
      transcript: [{ speaker_id: speakerId(1), ...at, text: said }],
      provider_supplied: false,
      speech_segments: null,
    }),
  );
  await succeeded(bookCredits(app, request(), accountId('owner'), credits('5'), 'top-up'));
  pass(1);
  const nameRequest = {
    audio: await audioState(place, 'call'),
    mode: 'commit' as const,
    target_speaker_ids: [speakerId(1), speakerId(2)],
    infer_roles: true,
    max_credits: null,
  };
  await succeeded(inferNames(app, inferenceBy(answers), request(), nameRequest));
  await failed(inferNames(app, inferenceBy(fails), request(), nameRequest));
};
