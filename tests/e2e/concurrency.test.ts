import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory } from '../support/e2e/history.js';
import { getAudio, expectOk, getFace, createMedia, getSpeaker, getVideo } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { matched, getRuns, triggerSuggest, writeBack } from '../support/e2e/runs.js';
import { shortOrLong } from '../support/long-form.js';

const times = <Result>(count: number, ask: (n: number) => Promise<Result>): Promise<ReadonlyArray<Result>> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

describe('many simultaneous requests', () => {
  const api = useTestApi();

  it('trigger suggest runs: one is queued, the others are refused with that reason', async () => {
    const media = await createMedia(api());
    const answers = await times(20, () => api().owner.post(media.suggestions, {}));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    answers.filter(({ status }) => status !== 200).forEach((answer) => expectCode(answer, 409, 'match_run_in_flight'));
    expect(await getRuns(api(), media)).to.have.length(1);
  });

  it('trigger commit runs: each supersedes the previous one, and one remains open', async () => {
    const media = await createMedia(api());
    await times(10, () => expectOk(api().owner.post(media.match, {})));
    const states = (await getRuns(api(), media)).map(({ state }) => state);
    expect(states.filter((state) => state === 'superseded')).to.have.length(9);
    expect(states.at(-1)).to.equal('in_flight');
  });

  it('answer one run: one is applied, the others are ignored and recorded', async () => {
    const media = await createMedia(api());
    const run_id = await triggerSuggest(api(), media);
    const answers = await times(10, (n) =>
      expectOk(writeBack(api(), media, { run_id, matches: [matched(1, 1, n / 10)] })),
    );
    const stored = answers.filter(({ body }) => JSON.stringify(body).includes('"stored"'));
    expect(stored).to.have.length(1);
    expect((await getRuns(api(), media))[0]?.late_arrivals).to.have.length(9);
  });

  it('match faces and rename speakers: nobody is matched twice, and face and speaker have one name', async () => {
    const media = await createMedia(api());
    const names = `/v1/audios/${media.audioId}/speakers/names`;
    await times(30, (n) =>
      n % 3 === 0
        ? expectOk(api().owner.put(names, [{ speaker_id: (n % 2) + 1, name: `Speaker named ${n}` }]))
        : expectOk(
            api().owner.put(media.match, {
              mappings: [{ face_id: (n % 3) + 1, speaker_id: (n % 2) + 1, name: `Matched ${n}` }],
            }),
          ),
    );
    const { faces } = await getVideo(api(), media);
    const { speakers } = await getAudio(api(), media);
    const held = faces.flatMap(({ speaker_id }) => (speaker_id === null ? [] : [speaker_id]));
    expect(new Set(held).size).to.equal(held.length);
    for (const { speaker_id, name } of faces)
      if (speaker_id !== null) expect(speakers.find((one) => one.speaker_id === speaker_id)).to.include({ name });
    const revisions = (await getHistory(api().owner, media.video)).map(({ revision }) => revision);
    expect(revisions).to.deep.equal(revisions.map((_, index) => index));
  });

  it('match a face and rename its speaker, again and again: both always have one name', async () => {
    const media = await createMedia(api());
    const names = `/v1/audios/${media.audioId}/speakers/names`;
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    for (const round of Array.from({ length: shortOrLong(25, 60) }, (_, n) => n)) {
      const mappings = [{ face_id: 1, speaker_id: 1, name: `Matched ${round}` }];
      await Promise.all([
        expectOk(api().owner.put(media.match, { mappings })),
        expectOk(api().owner.put(names, [{ speaker_id: 1, name: `Renamed ${round}` }])),
      ]);
      const { name } = await getFace(api(), media, 1);
      expect(await getSpeaker(api(), media, 1)).to.include({ name });
    }
  });

  it('register media: each exists once', async () => {
    await times(40, (n) => expectOk(api().stranger.post('/v2/videos', { video_id: `many-${n}` })));
    const { body } = await expectOk(api().stranger.get('/v2/videos?limit=1000'));
    expect(body).to.have.property('videos').with.length(40);
  });
});
