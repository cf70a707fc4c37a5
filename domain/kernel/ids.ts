import * as t from 'io-ts';

/** Ids that a client may choose: 1 to 128 characters of `A-Za-z0-9._:-`. */
const clientId = /^[A-Za-z0-9._:-]{1,128}$/;

const isClientId = (text: string): boolean => clientId.test(text);

/**
 * Whether an id can be used as a path segment: URL parsers remove `.` and `..`. Existing records with such ids stay
 * readable; new ones are refused.
 */
export const isAddressable = (id: string): boolean => id !== '.' && id !== '..';

interface VideoIdBrand {
  readonly VideoId: unique symbol;
}
interface AudioIdBrand {
  readonly AudioId: unique symbol;
}
interface AccountIdBrand {
  readonly AccountId: unique symbol;
}
interface KeyIdBrand {
  readonly KeyId: unique symbol;
}
interface RunIdBrand {
  readonly RunId: unique symbol;
}
interface SessionIdBrand {
  readonly SessionId: unique symbol;
}
interface InstanceIdBrand {
  readonly InstanceId: unique symbol;
}
interface ChargeIdBrand {
  readonly ChargeId: unique symbol;
}
interface FaceIdBrand {
  readonly FaceId: unique symbol;
}
interface SpeakerIdBrand {
  readonly SpeakerId: unique symbol;
}

export const VideoId = t.brand(t.string, (s): s is t.Branded<string, VideoIdBrand> => isClientId(s), 'VideoId');
export type VideoId = t.TypeOf<typeof VideoId>;

export const AudioId = t.brand(t.string, (s): s is t.Branded<string, AudioIdBrand> => isClientId(s), 'AudioId');
export type AudioId = t.TypeOf<typeof AudioId>;

export const AccountId = t.brand(t.string, (s): s is t.Branded<string, AccountIdBrand> => isClientId(s), 'AccountId');
export type AccountId = t.TypeOf<typeof AccountId>;

export const KeyId = t.brand(t.string, (s): s is t.Branded<string, KeyIdBrand> => isClientId(s), 'KeyId');
export type KeyId = t.TypeOf<typeof KeyId>;

export const RunId = t.brand(t.string, (s): s is t.Branded<string, RunIdBrand> => isClientId(s), 'RunId');
export type RunId = t.TypeOf<typeof RunId>;

export const SessionId = t.brand(t.string, (s): s is t.Branded<string, SessionIdBrand> => isClientId(s), 'SessionId');
export type SessionId = t.TypeOf<typeof SessionId>;

/** A service instance: all processes that run, one after the other, on the same data folder. */
export const InstanceId = t.brand(
  t.string,
  (s): s is t.Branded<string, InstanceIdBrand> => isClientId(s),
  'InstanceId',
);
export type InstanceId = t.TypeOf<typeof InstanceId>;

/** Identifies a charge, so that it is made once: the run's id, or the session's id with the metering number. */
export const ChargeId = t.brand(t.string, (s): s is t.Branded<string, ChargeIdBrand> => isClientId(s), 'ChargeId');
export type ChargeId = t.TypeOf<typeof ChargeId>;

/** Identifies a hold: the id of the run or session that it is for. */
export const HoldId = t.union([RunId, SessionId], 'HoldId');
export type HoldId = t.TypeOf<typeof HoldId>;

/** A face or speaker id in a request: any integer, even if no such face or speaker can exist. */
export const NamedId = t.refinement(t.number, Number.isInteger, 'NamedId');

const isNonNegativeInteger = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

/** Face ids are non-negative integers, unique within their video. */
export const FaceId = t.brand(t.number, (n): n is t.Branded<number, FaceIdBrand> => isNonNegativeInteger(n), 'FaceId');
export type FaceId = t.TypeOf<typeof FaceId>;

/** Speaker ids are non-negative integers, unique within their audio. */
export const SpeakerId = t.brand(
  t.number,
  (n): n is t.Branded<number, SpeakerIdBrand> => isNonNegativeInteger(n),
  'SpeakerId',
);
export type SpeakerId = t.TypeOf<typeof SpeakerId>;

/** The first value that occurs a second time; undefined if all differ. */
export const firstDuplicate = <Value>(values: ReadonlyArray<Value>): Value | undefined => {
  const seen = new Set<Value>();
  return values.find((value) => seen.size === seen.add(value).size);
};
