import { expect } from 'chai';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { expectOk } from '../support/e2e/media.js';
import {
  commitPath,
  estimatePath,
  expectNoEffect,
  grant,
  createRecording,
  useNamingApi,
  suggestPath,
} from '../support/e2e/naming.js';

describe('an admission to speaker-name inference', () => {
  const naming = useNamingApi();
  const body = { target_speaker_ids: [1] };

  for (const [mode, path] of [
    ['suggestions', suggestPath],
    ['the committing POST', commitPath],
  ] as const)
    it(`is refused with 402 and a separate text for each cause, before the model is called: ${mode}`, async () => {
      const { api } = naming();
      const account = `poor-${mode.length}`;
      const poor = await api.world.client(account, { permissions: ['MEDIA_WRITE'] });
      const media = await createRecording(api);
      const window = `/v1/accounts/${account}/spending-window`;
      const refused = async (reason: string, max_credits?: number): Promise<string> => {
        const limited = { ...body, ...(max_credits === undefined ? {} : { max_credits }) };
        const answer = await expectNoEffect(naming(), media, () => poor.post(path(media), limited));
        expectText(answer, 402);
        expect(answer.headers.get('x-refusal-reason')).to.equal(reason);
        const estimate = await expectOk(poor.post(estimatePath(media), limited));
        expect(estimate.body).to.include({ admitted: false, reason });
        return answer.text;
      };
      const zero = await refused('zero_balance', 0);
      await grant(api, account, -0.5);
      const negative = await refused('negative_balance', 0);
      await grant(api, account, 10.5);
      await expectOk(api.admin.put(window, { limit: 2, period_seconds: 3_600 }));
      await expectOk(poor.post(path(media), body));
      const usedUp = await refused('window_used_up', 0);
      await grant(api, account, 100);
      expect(await refused('window_used_up'), 'buying credit does not open a window').to.equal(usedUp);
      await expectOk(api.admin.put(window, { limit: null }));
      const tooDear = await refused('max_credits', 1);
      expect(new Set([zero, negative, usedUp, tooDear]).size).to.equal(4);
      const unready = await createRecording(api, { audioStatus: 'processing' });
      expectCode(await poor.post(path(unready), body), 409, 'audio_not_completed');
      expectCode(await poor.post(path(media), { target_speaker_ids: [] }), 400, 'empty_target_speaker_ids');
    });

  it('is predicted by the estimate, which costs nothing and calls no model', async () => {
    const { api } = naming();
    const media = await createRecording(api);
    const poor = await api.world.client('foretold', { permissions: ['MEDIA_WRITE'] });
    const estimate = async () =>
      (await expectNoEffect(naming(), media, () => expectOk(poor.post(estimatePath(media), body)))).body;
    expect(await estimate()).to.include({ balance: 0, admitted: false });
    await grant(api, 'foretold', -1);
    expect(await estimate()).to.include({ balance: -1, admitted: false });
    await grant(api, 'foretold', 11);
    const admitted = await estimate();
    expect(admitted).to.include({ balance: 10, admitted: true, reason: null });
    expect(admitted).to.have.all.keys('credits_min', 'credits_max', 'balance', 'admitted', 'reason');
    await expectOk(api.admin.put('/v1/accounts/foretold/spending-window', { limit: 0, period_seconds: 60 }));
    expect(await estimate()).to.include({ admitted: false });
  });
});
