import { expect } from 'chai';
import * as t from 'io-ts';
import type { HttpAnswer } from '../http-client.js';
import type { TestApi } from './test-api.js';
import { getEverything } from './history.js';
import type { Media } from './media.js';
import { stateOf } from './untouched.js';

const Coded = t.type({ detail: t.intersection([t.type({ code: t.string, message: t.string }), t.UnknownRecord]) });
const Texted = t.type({ detail: t.string });
const Malformed = t.type({
  detail: t.type({
    code: t.literal('malformed_body'),
    message: t.string,
    errors: t.array(t.type({ path: t.string, message: t.string })),
  }),
});

const isTold = ({ headers, text }: HttpAnswer, hasWritten = false): void => {
  expect(headers.get('X-Request-Id'), text).to.match(/\S/);
  expect(headers.has('X-Event-Position'), text).to.equal(hasWritten);
  expect(headers.get('Content-Type'), text).to.match(/^application\/json/);
};

const expectCoded = (answer: HttpAnswer, status: number, code: string, hasWritten: boolean): void => {
  const { body, text } = answer;
  expect(answer.status, text).to.equal(status);
  isTold(answer, hasWritten);
  if (!Coded.is(body)) throw new Error(`no detail with code and message: ${text}`);
  expect(body.detail.code).to.equal(code);
  expect(body.detail.message).to.match(/\S/);
};

/** A refusal whose detail is an object with this code, of a request that has written nothing. */
export const expectCode = (answer: HttpAnswer, status: number, code: string): void =>
  expectCoded(answer, status, code, false);

/** The same, of a request that claimed an idempotency key or the revert of a change. */
export const expectWrittenCode = (answer: HttpAnswer, status: number, code: string): void =>
  expectCoded(answer, status, code, true);

/** A refusal whose detail is a text. */
export const expectText = (answer: HttpAnswer, status: number): void => {
  const { body, text } = answer;
  expect(answer.status, text).to.equal(status);
  isTold(answer);
  if (!Texted.is(body)) throw new Error(`no text as detail: ${text}`);
  expect(body.detail).to.match(/\S/);
};

/** A 422 for a malformed body that points at these places, among others. */
export const expectMalformed = (answer: HttpAnswer, ...paths: ReadonlyArray<string>): void => {
  const { body, text } = answer;
  expectCode(answer, 422, 'malformed_body');
  if (!Malformed.is(body)) throw new Error(`no list of errors: ${text}`);
  expect(
    body.detail.errors.map(({ path }) => path),
    text,
  ).to.include.members([...paths]);
  body.detail.errors.forEach(({ message }) => expect(message).to.match(/\S/));
};

/** Checks that the requests in between changed neither the log nor the answers about the media. */
export const expectNothingWritten = async <Result>(
  api: TestApi,
  media: Media,
  ask: () => Promise<Result>,
): Promise<Result> => {
  const state = stateOf(api, () => getEverything(api, media));
  const before = await state();
  const result = await ask();
  expect(await state()).to.deep.equal(before);
  return result;
};
