import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAllEvents } from '../support/e2e/history.js';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode, expectWrittenCode } from '../support/e2e/refusal.js';
import type { HttpAnswer } from '../support/http-client.js';

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const positionOf = ({ headers }: HttpAnswer): string | null => headers.get('X-Event-Position');

describe('the X-Event-Position of a request with an idempotency key', () => {
  const api = useTestApi();

  /** The events that were written since, as types by position. */
  const writtenBy = async <Result>(work: () => Promise<Result>) => {
    const { length } = await getAllEvents(api().admin);
    const result = await work();
    const events = (await getAllEvents(api().admin)).slice(length);
    return { result, types: new Map(events.map(({ position, type }) => [position, type])) };
  };

  it('names the last event on the key if the request is refused; without a key there is none', async () => {
    const media = await createMedia(api());
    const merge = (headers = {}) => api().owner.post(`${media.audio}/speakers/merge`, { from: 9, into: 1 }, headers);
    const { result, types } = await writtenBy(() => merge(keyed('refused')));
    expectWrittenCode(result, 404, 'InvalidSpeaker');
    expect([...types.values()]).to.deep.equal(['WriteClaimed', 'WriteReleased']);
    expect([...types.keys()].at(-1)).to.equal(positionOf(result));
    expect((await api().owner.get(media.audio, { 'X-Min-Position': positionOf(result) ?? '' })).status).to.equal(200);
    expectCode(await merge(), 404, 'InvalidSpeaker');
  });

  it('names the last event of the change and not its stored answer, and can be undone', async () => {
    const media = await createMedia(api());
    const mappings = [{ face_id: 1, speaker_id: 1, name: 'Bea' }];
    const put = () => api().owner.put(media.match, { mappings }, keyed('matched'));
    const { result, types } = await writtenBy(() => expectOk(put()));
    const changes = [...types].filter(([, type]) => !String(type).startsWith('Write'));
    expect([...types.values()].at(-1)).to.equal('WriteAnswered');
    expect(changes.at(-1)?.[0]).to.equal(positionOf(result));
    expect(positionOf(await expectOk(put()))).to.equal(positionOf(result));
    await expectOk(api().owner.post(`${media.video}/history/${positionOf(result)}/revert`, {}));
  });

  it('names the claim of the key if nothing changed, also when the answer is repeated', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.patch(media.video, { title: 'Same' }));
    expect(positionOf(await expectOk(api().owner.patch(media.video, { title: 'Same' })))).to.equal(null);
    const patch = () => api().owner.patch(media.video, { title: 'Same' }, keyed('unchanged'));
    const { result, types } = await writtenBy(() => expectOk(patch()));
    expect(types.get(positionOf(result))).to.equal('WriteClaimed');
    const { result: again, types: none } = await writtenBy(() => expectOk(patch()));
    expect([positionOf(again), none.size]).to.deep.equal([positionOf(result), 0]);
  });
});
