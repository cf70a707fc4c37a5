import * as t from 'io-ts';

type Brand<Name extends string> = { readonly [Of in Name]: symbol };

/** Strings of which this holds, as a type of their own. */
export const brandedText = <Name extends string>(name: Name, holds: (text: string) => boolean) =>
  t.brand<t.StringC, Name, Brand<Name>>(t.string, (s): s is t.Branded<string, Brand<Name>> => holds(s), name);

/** Numbers of which this holds, as a type of their own. */
export const brandedNumber = <Name extends string>(name: Name, holds: (n: number) => boolean) =>
  t.brand<t.NumberC, Name, Brand<Name>>(t.number, (n): n is t.Branded<number, Brand<Name>> => holds(n), name);

/** Ids that a client may choose: 1 to 128 characters of `A-Za-z0-9._:-`. */
const clientId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Whether an id can be used as a path segment: URL parsers remove `.` and `..`. Existing records with such ids stay
 * readable; new ones are refused.
 */
export const isAddressable = (id: string): boolean => id !== '.' && id !== '..';

const textId = <Name extends string>(name: Name) => brandedText(name, (id) => clientId.test(id));

const numberId = <Name extends string>(name: Name) => brandedNumber(name, (id) => Number.isSafeInteger(id) && id >= 0);

export const VideoId = textId('VideoId');
export type VideoId = t.TypeOf<typeof VideoId>;

export const AudioId = textId('AudioId');
export type AudioId = t.TypeOf<typeof AudioId>;

export const AccountId = textId('AccountId');
export type AccountId = t.TypeOf<typeof AccountId>;

export const KeyId = textId('KeyId');
export type KeyId = t.TypeOf<typeof KeyId>;

export const RunId = textId('RunId');
export type RunId = t.TypeOf<typeof RunId>;

export const SessionId = textId('SessionId');
export type SessionId = t.TypeOf<typeof SessionId>;

/** A service instance: all processes that run, one after the other, on the same data folder. */
export const InstanceId = textId('InstanceId');
export type InstanceId = t.TypeOf<typeof InstanceId>;

/** Identifies a charge, so that it is made once: the run's id, or the session's id with the metering number. */
export const ChargeId = textId('ChargeId');
export type ChargeId = t.TypeOf<typeof ChargeId>;

/** Identifies a hold: the id of the run or session that it is for. */
export const HoldId = t.union([RunId, SessionId], 'HoldId');
export type HoldId = t.TypeOf<typeof HoldId>;

/** A face or speaker id in a request: any integer, even if no such face or speaker can exist. */
export const NamedId = t.refinement(t.number, Number.isInteger, 'NamedId');

/** Face ids are non-negative integers, unique within their video. */
export const FaceId = numberId('FaceId');
export type FaceId = t.TypeOf<typeof FaceId>;

/** Speaker ids are non-negative integers, unique within their audio. */
export const SpeakerId = numberId('SpeakerId');
export type SpeakerId = t.TypeOf<typeof SpeakerId>;

/** The first value that occurs a second time; undefined if all differ. */
export const firstDuplicate = <Value>(values: ReadonlyArray<Value>): Value | undefined => {
  const seen = new Set<Value>();
  return values.find((value) => seen.size === seen.add(value).size);
};
