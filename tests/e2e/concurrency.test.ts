import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { matched, getRuns, triggerSuggest, writeBack } from '../support/e2e/runs.js';

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
});
