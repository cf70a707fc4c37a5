import { expect } from 'chai';
import type { HttpAnswer } from '../support/http-client.js';
import { newKey } from '../support/accounts.js';

const answerOf = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: new Headers(),
  body,
  text: JSON.stringify(body),
});

/** The result of creating a key if opening the account is answered like this. */
const keyAfter = (opening: HttpAnswer): Promise<string> =>
  newKey(
    { post: async (path) => (path === '/v1/accounts' ? opening : answerOf(200, { key: 'issued' })) },
    'owner',
  ).catch(String);

describe('accounts of the tests', () => {
  it('may be there already', async () => {
    const exists = answerOf(409, { detail: { code: 'account_exists', message: 'there is one' } });
    for (const opening of [answerOf(200, { account_id: 'owner' }), exists])
      expect(await keyAfter(opening)).to.equal('issued');
  });

  it('that cannot be opened fail with what the service said', async () => {
    const busy = answerOf(503, { detail: { code: 'store_unavailable', message: 'the disk is full' } });
    expect(await keyAfter(busy)).to.match(/owner.*503.*the disk is full/);
  });
});
