import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { HttpError, Refusal } from '../../../adapters/http/refusals/refusal.js';
import { answers, exampleErrors, httpErrorOf } from '../../../adapters/http/refusals/refusals.js';
import type { CreditShortage } from '../../../application/realtime/admit-session.js';
import { type AdmissionRefusal, refusalReasons } from '../../../domain/credit-account/contract.js';
import type { BadTag } from '../../../domain/tag-registry/contract.js';
import { credits } from '../../support/credits.js';
import { at } from '../../support/values.js';

const messageOf = ({ detail }: HttpError): string => (typeof detail === 'string' ? detail : detail.message);

const reasons: Partial<Record<string, string>> = refusalReasons;

const answerTo = (tag: Refusal['_tag']): HttpError => {
  const [first] = exampleErrors(tag);
  if (first === undefined) throw new Error(`${tag} has no example`);
  return first;
};

/** The answer to the example of each refusal, a line each. */
const Line = t.type({ refusal: t.string, status: t.number, detail: t.unknown });
const expected = readFileSync(new URL('../../../../tests/fixtures/refusals.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): unknown => JSON.parse(line))
  .filter(Line.is);

describe('HTTP answers to refusals', () => {
  const isTag = (name: string): name is Refusal['_tag'] => name in answers;
  const tags = Object.keys(answers).filter(isTag);

  it('are all in the list', () => expect(expected.map(({ refusal }) => refusal)).to.have.members(tags));

  for (const { refusal, status, detail } of expected)
    it(`have the expected status, code, message and fields: ${refusal}`, () => {
      if (!isTag(refusal)) throw new Error(`there is no refusal ${refusal}`);
      const answer = answerTo(refusal);
      expect({ status: answer.status, detail: answer.detail }).to.deep.equal({ status, detail });
    });

  it('have the header of their status: Retry-After, WWW-Authenticate, or the reason of a refused admission', () => {
    for (const tag of tags) {
      const { status, detail, headers } = answerTo(tag);
      const seconds = typeof detail === 'object' ? detail['retry_after_seconds'] : undefined;
      const own: Readonly<Record<string, string>> = headers ?? {};
      expect(own['Retry-After'], tag).to.equal(status === 503 || status === 429 ? String(seconds) : undefined);
      expect(own['WWW-Authenticate'], tag).to.equal(status === 401 ? 'Bearer realm="media-analysis"' : undefined);
      expect(own['X-Refusal-Reason'], tag).to.equal(reasons[tag]);
    }
  });

  it('do not contain the reasons of failures, which may be confidential', () => {
    for (const tag of tags)
      expect(JSON.stringify(answerTo(tag)).replace('secret_not_repeatable', ''), tag).not.to.match(/secret(?! that)/);
  });
});

describe('messages of refusals that depend on the situation', () => {
  it('name the permission of an endpoint that is made for its holders', () =>
    expect(httpErrorOf({ _tag: 'NotAuthorised', needs: 'WORKER' }).detail).to.deep.equal({
      code: 'not_authorised',
      message: 'This API key lacks the permission WORKER',
      permission: 'WORKER',
    }));

  it('say whether the account or the service has no free realtime session', () => {
    expect(messageOf(httpErrorOf({ _tag: 'AtCapacity', of: 'service', capacity: 3 }))).to.equal(
      'The service has reached its maximum number of realtime sessions',
    );
  });

  it('say what reserves the credits, and until when a spending window is used up if known', () => {
    const held = credits('2');
    expect(messageOf(httpErrorOf({ _tag: 'AllCreditsHeld', of: 'window', held }))).to.equal(
      'The credits left in the spending window are reserved by calls in progress (2): try again later',
    );
    const window = { limit: held, spent: credits('1.5'), amount: credits('0.6'), opens_at: null };
    expect(messageOf(httpErrorOf({ _tag: 'WindowUsedUp', ...window }))).to.equal(
      'The spending window of 2 credits is used up: 1.5 are spent, and the call may cost 0.6',
    );
  });

  it('say what a session lacks to start, and whether and when it may start later', () => {
    const held = credits('2');
    const detailOf = (why: AdmissionRefusal, shortage: CreditShortage) =>
      httpErrorOf({ _tag: 'NoCreditToStart', why, shortage }).detail;
    const ofBalance = { reason: 'balance', retry_after_seconds: null } as const;
    expect(detailOf({ _tag: 'AllCreditsHeld', of: 'balance', held }, ofBalance))
      .to.include({ code: 'insufficient_credits', reason: 'balance', retryable: true })
      .and.not.to.have.property('retry_after_seconds');
    const window = { limit: held, spent: held, amount: credits('0.6'), opens_at: at(90) };
    const untilOpen = { reason: 'window', retry_after_seconds: 90 } as const;
    expect(detailOf({ _tag: 'WindowUsedUp', ...window }, untilOpen)).to.include({ ...untilOpen, retryable: true });
    const never = { reason: 'window', retry_after_seconds: null } as const;
    expect(detailOf({ _tag: 'WindowUsedUp', ...window, opens_at: null }, never)).to.include({
      reason: 'window',
      retryable: false,
    });
  });
});

describe('an answer to refused tags', () => {
  const bad = (reason: BadTag['reason'], facts: Partial<BadTag> = {}): BadTag => ({
    key: 'a.b',
    reason,
    category: null,
    value_type: null,
    ...facts,
  });
  const answerOf = (...tags: ReadonlyArray<BadTag>) => httpErrorOf({ _tag: 'TagsRefused', bad: tags }).detail;

  const messages: ReadonlyArray<readonly [BadTag, string]> = [
    [
      bad('source_not_importer'),
      'source must be importer. followed by a name of 1 to 128 characters from A-Za-z0-9._:-',
    ],
    [
      bad('unregistered_key', { key: 'a b' }),
      'is not a valid tag key: a key is a dotted path of at most 128 characters from A-Za-z0-9_-',
    ],
    [bad('category_not_importable', { category: 'user' }), 'is of the category user, which cannot be imported'],
    [bad('category_not_editable', { category: 'provider' }), 'is of the category provider, which users cannot change'],
    [bad('duplicate_key'), 'appears more than once'],
    [bad('bad_value', { value_type: 'number' }), 'must be a finite number'],
    [bad('bad_value', { value_type: 'boolean' }), 'must be true or false'],
    [bad('bad_value', { value_type: 'string' }), 'must be a string of well-formed Unicode'],
    [bad('bad_value', { value_type: 'string_list' }), 'must be a list of strings of well-formed Unicode'],
    [bad('bad_value'), 'must be a different value'],
  ];
  for (const [tag, message] of messages)
    it(`says: ${message}`, () => {
      const { reason, key } = tag;
      expect(answerOf(tag)).to.deep.equal({
        code: reason,
        message: `No tag was changed: ${key}: ${message}`,
        errors: [{ key, reason, message }],
      });
    });

  it('has the code tags_refused if the reasons differ', () =>
    expect(answerOf(bad('duplicate_key'), bad('bad_value'))).to.include({ code: 'tags_refused' }));
});
