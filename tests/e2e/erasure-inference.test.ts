import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { expectOk } from '../support/e2e/media.js';
import { chargesOf, commitPath, createRecording, useNamingApi, suggestPath } from '../support/e2e/naming.js';
import { eventsAfterErasure } from '../support/erasure/events-after-erasure.js';
import { bodyOf } from '../support/http-client.js';
import { findsIntroductions, slow } from '../support/name-model/behaviours.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });
const Events = t.type({ events: t.array(t.type({ type: t.string, data: t.unknown })) });

describe('an erasure while names are inferred', function () {
  this.timeout(60_000);
  const naming = useNamingApi({ name_model_timeout_seconds: 5 });
  const body = { target_speaker_ids: [1, 2, 3] };

  const holds = async (type: string): Promise<number> =>
    bodyOf(Events, await naming().api.admin.get(`/v1/audit/events?type=${type}&limit=1000`)).events.length;

  for (const [mode, pathOf] of Object.entries({ suggest: suggestPath, commit: commitPath }))
    for (const erased of ['audio', 'video'] as const)
      it(`of the ${erased} ends a ${mode} run and its waiting requests, without a charge or a hold`, async () => {
        const { api, model } = naming();
        const media = await createRecording(api);
        model.play(slow(700));
        const headers = { 'Idempotency-Key': `${mode} ${media.audioId}` };
        const charged = (await chargesOf(api.owner)).length;
        const asking = [api.owner.post(pathOf(media), body, headers)];
        await setTimeout(250);
        asking.push(api.owner.post(pathOf(media), body, headers));
        await setTimeout(50);
        const { receipt } = bodyOf(Receipt, await expectOk(api.owner.delete(media[erased])));
        const answers = await Promise.all(asking);
        if (erased === 'audio') {
          // The first has written its claim and its hold, at the position in its answer.
          answers.push(await api.owner.post(pathOf(media), body, headers));
          for (const { status, text } of answers) expect(`${status} ${text}`).to.match(/^410 .*"erased"/);
          expect((await chargesOf(api.owner)).length).to.equal(charged);
        } else
          expect(answers.map(({ status }) => status)).to.satisfy(
            ([one, other]: ReadonlyArray<number>) => one === other,
          );
        expect(await holds('CreditsHeld')).to.equal((await holds('HoldReleased')) + (await holds('CreditsCharged')));
        expect(await eventsAfterErasure(api, media[erased], receipt.position)).to.deep.equal([]);
        model.play(findsIntroductions);
      });
});
