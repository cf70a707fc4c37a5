import * as TE from 'fp-ts/lib/TaskEither.js';
import { inferNames } from '../../application/name-inference/infer-names.js';
import type { NameModel } from '../../application/ports/name-model.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { registerAudio } from '../../application/use-cases/videos/register.js';
import { audio, audioState } from './application/media.js';
import type { World } from './application/world.js';
import { credits } from './credits.js';
import { failed, succeeded } from './event-store/outcomes.js';
import { accountId, audioId, speakerId } from './values.js';
import { inferenceBy } from './application/naming.js';
import { foundSpeakers, recordAudioAnalysis } from './application/record.js';

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

const paid = { tokens: 11, per_1k_tokens: '0.1' };

/** A committing inference with a key that answers, and one that fails. */
export const recordInferences = async (place: World): Promise<void> => {
  const { app, request, pass } = place;
  const call = audioId('call');
  const deal_persons = [{ person_id: 'p9', name: 'Ann Example' }];
  await succeeded(registerAudio(app, request(), { ...audio('call'), deal_persons }));
  const at = { start: 0, end: 4 };
  const turns = [{ speaker_id: speakerId(1), ...at }];
  const transcript = turns.map((turn) => ({ ...turn, text: said }));
  const analysis = foundSpeakers(
    [
      [1, null],
      [2, null],
    ],
    { turns, transcript },
  );
  await succeeded(recordAudioAnalysis(app, request(), call, analysis));
  await succeeded(bookCredits(app, request(), accountId('owner'), credits('5'), 'top-up'));
  pass(1);
  const nameRequest = {
    audio: await audioState(place, 'call'),
    mode: 'commit' as const,
    target_speaker_ids: [speakerId(1), speakerId(2)],
    infer_roles: true,
    max_credits: null,
  };
  await succeeded(inferNames(app, inferenceBy('recorded', answers, paid), request(), nameRequest));
  await failed(inferNames(app, inferenceBy('recorded', fails, paid), request(), nameRequest));
};
