import * as O from 'fp-ts/lib/Option.js';
import { type Credits, CreditsText, parseCredits } from '../../domain/kernel/credits.js';
import {
  AccountId,
  AudioId,
  FaceId,
  InstanceId,
  KeyId,
  RunId,
  SessionId,
  SpeakerId,
  VideoId,
} from '../../domain/kernel/ids.js';
import { PersonName } from '../../domain/kernel/names.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import {
  type TagRegistryEntry,
  type ResolvedTag,
  type TagCategory,
  type TagValue,
  type TagValueType,
  RegistryKey,
  TagKey,
  TagSource,
} from '../../domain/tag-registry/contract.js';

interface Codec<A> {
  readonly name: string;
  readonly is: (value: unknown) => value is A;
}

/** A value that a codec takes. */
export const made = <A>(codec: Codec<A>, value: unknown): A => {
  if (codec.is(value)) return value;
  throw new TypeError(`no ${codec.name}: ${JSON.stringify(value)}`);
};

export const faceId = (n: number): FaceId => made(FaceId, n);
export const speakerId = (n: number): SpeakerId => made(SpeakerId, n);
export const runId = (text: string): RunId => made(RunId, text);
export const videoId = (text: string): VideoId => made(VideoId, text);
export const audioId = (text: string): AudioId => made(AudioId, text);
export const accountId = (text: string): AccountId => made(AccountId, text);
export const keyId = (text: string): KeyId => made(KeyId, text);
export const sessionId = (text: string): SessionId => made(SessionId, text);
export const instanceId = (text: string): InstanceId => made(InstanceId, text);
export const personName = (text: string): PersonName => made(PersonName, text);

const noon = Date.parse('2026-01-01T12:00:00.000Z');

/** A point in time, in seconds after the tests' noon. */
export const at = (seconds: number): Timestamp =>
  made(Timestamp, new Date(noon + Math.round(seconds * 1_000)).toISOString());

/** The credits that a decimal text stands for. */
export const credits = (text: string): Credits => {
  const parsed = parseCredits(text);
  if (O.isNone(parsed)) throw new TypeError(`no credits: ${text}`);
  return parsed.value;
};

export const creditsText = (text: string): CreditsText => made(CreditsText, text);

export const tagKey = (text: string): TagKey => made(TagKey, text);
const registryKey = (text: string): RegistryKey => made(RegistryKey, text);
export const tagSource = (text: string): TagSource => made(TagSource, text);

export const registryEntry = (key: string, category: TagCategory, value_type: TagValueType): TagRegistryEntry => ({
  key: registryKey(key),
  category,
  value_type,
  description: null,
});

export const resolved = (key: string, value: TagValue, category: TagCategory = 'provider'): ResolvedTag => ({
  key: tagKey(key),
  category,
  value,
});
