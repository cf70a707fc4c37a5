import { expect } from 'chai';
import { MediaAnalysis, describeError } from '../../../adapters/client/index.js';
import { apiError } from '../../../adapters/client/errors.js';

const malformed = (message: string, errors: ReadonlyArray<{ readonly path: string; readonly message: string }>) =>
  apiError({
    status: 422,
    code: null,
    message,
    request_id: null,
    retryable: false,
    retry_after_seconds: null,
    reason: null,
    detail: message,
    errors,
  });

describe('the messages of the client', () => {
  it('name a baseUrl that is not an address', () => {
    for (const baseUrl of ['nonsense', 'ftp://host'])
      expect(() => new MediaAnalysis({ baseUrl, apiKey: 'k' })).to.throw(
        TypeError,
        `baseUrl must be an http or https address: ${baseUrl}`,
      );
  });

  it('say each error of a body once', () => {
    const title = { path: 'title', message: 'must be a text' };
    expect(describeError(malformed('title must be a text', [title]))).to.equal('422 title must be a text');
    expect(describeError(malformed('title must be a text', [title, { path: 'kind', message: 'is missing' }]))).to.equal(
      '422 title must be a text (kind: is missing)',
    );
  });
});
