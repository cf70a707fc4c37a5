import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { badQueries } from '../support/e2e/refusals/bad-queries.js';
import type { RefusedRequest } from '../support/e2e/refusals/request.js';
import { refusedEarly, refusedLate } from '../support/e2e/refusals/table.js';
import { stateOf } from '../support/e2e/untouched.js';

/** Which status and code each endpoint answers with, by what the request is refused for. */
describe('refusals of all endpoints', () => {
  const api = useTestApi();
  const checkAll = async (refusals: ReadonlyArray<RefusedRequest>): Promise<void> => {
    const state = stateOf(api(), () => Promise.resolve(null));
    const before = await state();
    const wrong: string[] = [];
    for (const { name, status, code, send } of refusals) {
      const answer = await send();
      try {
        expectCode(answer, status, code);
      } catch {
        wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}, not ${status} ${code}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await state()).to.deep.equal(before);
  };

  it('have their status and code, and write nothing', async () => checkAll(await refusedEarly(api())));

  it('have their status and code, and write nothing, where the state of a record refuses', async () =>
    checkAll(await refusedLate(api())));

  it('name the invalid parameter of a query', async () => {
    const media = await createMedia(api(), { transcript: [{ speaker_id: 1, start: 0, end: 1, text: 'Hello' }] });
    const wrong: string[] = [];
    for (const [path, queries] of Object.entries(badQueries(media)))
      for (const query of queries) {
        const { status, body, text } = await api().admin.get(`${path}?${query}`);
        const [parameter] = query.split('=');
        try {
          expect([status, body]).to.have.nested.property('[1].detail.code', 'bad_query');
          expect(body).to.have.nested.property('detail.parameter', parameter);
          expect(status).to.equal(400);
        } catch {
          wrong.push(`${path}?${query}: ${status} ${text.slice(0, 200)}`);
        }
      }
    expect(wrong).to.deep.equal([]);
  });

  it('name all invalid parameters of a query', async () => {
    for (const [path, ...parameters] of [
      ['/v2/videos', 'wait', 'sort', 'tag', 'limit'],
      ['/v1/audit/events', 'type', 'from', 'hide', 'limit', 'order'],
    ] as const) {
      const query = parameters.map((name) => `${name}=${name === 'wait' ? 99 : '%20'}`).join('&');
      const { body } = await api().admin.get(`${path}?${query}`);
      expect(body)
        .to.have.nested.property('detail.errors')
        .that.satisfies((errors: ReadonlyArray<{ readonly path: string }>) =>
          parameters.every((name) => errors.some((error) => error.path === name)),
        );
    }
  });
});
