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
