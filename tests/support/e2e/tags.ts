import { expect } from 'chai';
import * as t from 'io-ts';
import { TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import { TagView } from '../../../projections/tag-views.js';
import { type HttpAnswer, type HttpClient, bodyOf } from '../http-client.js';
import { expectCode } from './refusal.js';

const Outcome = t.type({
  status: t.literal('completed'),
  created: t.array(t.string),
  updated: t.array(t.string),
  unchanged: t.array(t.string),
});
const Tags = t.type({ tags: t.array(TagView) });
const Entries = t.type({ entries: t.array(TagRegistryEntry) });
const Refused = t.type({
  detail: t.type({ errors: t.array(t.type({ key: t.string, reason: t.string, message: t.string })) }),
});

/** The result for each key of a request. */
export const outcomeOf = (answer: HttpAnswer) => {
  const { status: _completed, ...outcome } = bodyOf(Outcome, answer);
  return outcome;
};

/** The video's tags, by the path of the video. */
export const getTags = async (client: HttpClient, video: string): Promise<ReadonlyArray<TagView>> =>
  bodyOf(Tags, await client.get(`${video}/tags`)).tags;

export const getTagValues = async (client: HttpClient, video: string): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries((await getTags(client, video)).map(({ key, value }) => [key, value]));

export const getRegistryEntries = async (client: HttpClient): Promise<ReadonlyArray<TagRegistryEntry>> =>
  bodyOf(Entries, await client.get('/v2/tag-registry')).entries;

/** A 400 that names exactly these keys with their reasons, in this order. */
export const expectBadTags = (
  answer: HttpAnswer,
  code: string,
  ...wanted: ReadonlyArray<readonly [key: string, reason: string]>
): void => {
  expectCode(answer, 400, code);
  if (!Refused.is(answer.body)) throw new Error(`names no keys: ${answer.text}`);
  const { errors } = answer.body.detail;
  expect(errors.map(({ key, reason }) => [key, reason])).to.deep.equal(wanted);
  errors.forEach(({ message }) => expect(message).to.match(/\S/));
};
