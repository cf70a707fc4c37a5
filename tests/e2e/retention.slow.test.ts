import { expect } from 'chai';
import * as t from 'io-ts';
import { systemClock } from '../../adapters/runtime/clock.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { createRecording, grant, suggestPath } from '../support/e2e/naming.js';
import { matched, runSuggest, triggerSuggest, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

const Events = t.type({
  events: t.array(
    t.type({
      type: t.string,
      event_id: t.string,
      actor: t.type({ key_id: t.string }),
      causation_id: t.string,
    }),
  ),
});

const day = 86_400;

describe('retention', () => {
  let passed = 0;
  const api = useTestApi({}, { now: () => secondsAfter(systemClock.now(), passed * day) });
  const path = '/v1/accounts/owner/retention';
  const set = (days: unknown) => api().admin.put(path, { days });
  /** Restarts the service this many days later. */
  const later = (days: number) =>
    api().world.restart(async () => {
      passed += days;
    });
  const statusesOf = async ({ video, audio }: Media) => [
    (await api().owner.get(video)).status,
    (await api().owner.get(audio)).status,
  ];
  const until = async (media: Media, wanted: ReadonlyArray<number>): Promise<void> => {
    const end = Date.now() + 20_000;
    while (Date.now() < end && (await statusesOf(media)).join() !== wanted.join())
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await statusesOf(media)).to.deep.equal(wanted);
  };

  afterEach(() => set(null));

  it('erases what had no event for as many days as an admin set, and the receipt names the rule', async () => {
    expect((await api().owner.get(path)).body).to.deep.equal({ days: null });
    const [old, ofOthers] = [await createMedia(api()), await createMedia({ ...api(), owner: api().stranger })];
    await later(20);
    expect((await set(30)).body).to.deep.equal({ days: 30 });
    const young = await createMedia(api());
    await later(11);
    expect((await api().owner.get(path)).body).to.deep.equal({ days: 30 });
    await until(old, [410, 410]);
    expect(await statusesOf(young)).to.deep.equal([200, 200]);
    expect((await api().stranger.get(ofOthers.video)).status).to.equal(200);
    const rule = bodyOf(Events, await api().admin.get('/v1/audit/events?type=RetentionSet')).events.at(-1);
    const receipt = bodyOf(Events, await api().owner.get(`${old.video}/history`)).events.at(-1);
    expect(receipt).to.deep.include({ type: 'MediumErased', causation_id: rule?.event_id });
    expect(receipt?.actor.key_id).to.equal('retention');
  });

  it('keeps a video and its audio while either is changed, also by a run, an answer too late, or an inference', async () => {
    const [video, audio, run, late, named, read] = [
      await createMedia(api()),
      await createMedia(api()),
      await createMedia(api()),
      await createMedia(api()),
      await createRecording(api()),
      await createMedia(api()),
    ];
    await grant(api(), 'owner', 1_000);
    const run_id = await runSuggest(api(), late);
    await later(6);
    await expectOk(writeBack(api(), late, { run_id, matches: [matched(1, 1)] }));
    await expectOk(api().owner.patch(video.video, { title: 'touched' }));
    await expectOk(api().owner.patch(audio.audio, { title: 'touched' }));
    await triggerSuggest(api(), run);
    await expectOk(api().owner.post(suggestPath(named), { target_speaker_ids: [1] }));
    await expectOk(api().owner.get(read.video));
    await expectOk(set(7));
    await later(2);
    await until(read, [410, 410]);
    for (const media of [video, audio, run, late, named]) expect(await statusesOf(media)).to.deep.equal([200, 200]);
    await later(6);
    for (const media of [video, audio, run, late, named]) await until(media, [410, 410]);
  });
});
