import * as t from 'io-ts';

/** Ids that a client may choose: 1 to 128 characters of `A-Za-z0-9._:-`. */
const clientId = /^[A-Za-z0-9._:-]{1,128}$/;

const isClientId = (text: string): boolean => clientId.test(text);

/**
 * Whether usual clients can send an id as a part of a path: `.` and `..` are removed from paths by URL parsers. Records
 * with these ids in older logs stay readable; new ones are refused.
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

/** A running service and those that took its place after it, on the same data folder. */
export const InstanceId = t.brand(
  t.string,
  (s): s is t.Branded<string, InstanceIdBrand> => isClientId(s),
  'InstanceId',
);
export type InstanceId = t.TypeOf<typeof InstanceId>;

/** What makes a charge the same charge: the run's id, or the session's with the number of the metered stretch. */
export const ChargeId = t.brand(t.string, (s): s is t.Branded<string, ChargeIdBrand> => isClientId(s), 'ChargeId');
export type ChargeId = t.TypeOf<typeof ChargeId>;

/** What makes a hold the same hold: the id of the run or the session that it is for. */
export const HoldId = t.union([RunId, SessionId], 'HoldId');
export type HoldId = t.TypeOf<typeof HoldId>;

/** The id of a face or speaker as a request names it: any integer, also one that no face or speaker can have. */
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
