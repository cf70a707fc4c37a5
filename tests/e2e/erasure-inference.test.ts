import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { done } from '../support/e2e/media.js';
import { chargesOf, commitPath, recordingOf, stageOfAll, suggestPath } from '../support/e2e/naming.js';
import { streamsAfter } from '../support/erasure/after.js';
import { bodyOf } from '../support/http-client.js';
import { hearsIntroductions, slow } from '../support/name-model/behaviours.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });
const Events = t.type({ events: t.array(t.type({ type: t.string, data: t.unknown })) });

describe('an erasure while names are inferred', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ name_model_timeout_seconds: 5 });
  const body = { target_speaker_ids: [1, 2, 3] };

  const holds = async (type: string): Promise<number> =>
    bodyOf(Events, await stage().cast.admin.get(`/v1/audit/events?type=${type}&limit=1000`)).events.length;

  for (const [mode, pathOf] of [
    ['suggest', suggestPath],
    ['commit', commitPath],
  ] as const)
    for (const erased of ['audio', 'video'] as const)
      it(`of the ${erased} ends a ${mode} run and whoever waits for it, unbilled, with nothing held`, async () => {
        const { cast, model } = stage();
        const media = await recordingOf(cast);
        model.play(slow(700));
        const headers = { 'Idempotency-Key': `${mode} ${media.audioId}` };
        const charged = (await chargesOf(cast.owner)).length;
        const asking = [cast.owner.post(pathOf(media), body, headers)];
        await setTimeout(250);
        asking.push(cast.owner.post(pathOf(media), body, headers));
        await setTimeout(50);
        const { receipt } = bodyOf(Receipt, await done(cast.owner.delete(media[erased])));
        const answers = await Promise.all(asking);
        if (erased === 'audio') {
          // The first has written its claim and its hold: its answer says where.
          answers.push(await cast.owner.post(pathOf(media), body, headers));
          for (const { status, text } of answers) expect(`${status} ${text}`).to.match(/^410 .*"erased"/);
          expect((await chargesOf(cast.owner)).length).to.equal(charged);
        } else
          expect(answers.map(({ status }) => status)).to.satisfy(
            ([one, other]: ReadonlyArray<number>) => one === other,
          );
        expect(await holds('CreditsHeld')).to.equal((await holds('HoldReleased')) + (await holds('CreditsCharged')));
        expect(await streamsAfter(cast, media[erased], receipt.position)).to.deep.equal([]);
        model.play(hearsIntroductions);
      });
});
