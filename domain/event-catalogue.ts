import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type AccessEvent, accessEvents } from './access/contract.js';
import { type AudioEvent, audioEvents } from './audio/events.js';
import { type SpeechEvent, speechEvents } from './audio/speech.js';
import type { EventCodecs } from './kernel/event-codecs.js';
import { type MatchRunEvent, matchRunEvents } from './match-run/contract.js';
import { type VideoEvent, videoEvents } from './video/events.js';
import { type FaceTracksEvent, faceTracksEvents } from './video/face-tracks.js';

export type DomainEvent = VideoEvent | FaceTracksEvent | AudioEvent | SpeechEvent | MatchRunEvent | AccessEvent;

const codecs: EventCodecs = {
  ...videoEvents,
  ...faceTracksEvents,
  ...audioEvents,
  ...speechEvents,
  ...matchRunEvents,
  ...accessEvents,
};

/**
 * Versions that are written no more, by stored type, each with what makes the newest data of it.
 * They stay for ever, for the logs that hold them do.
 */
const retired: Readonly<Record<string, (data: unknown) => t.Validation<DomainEvent>>> = {};

const newestVersions: Readonly<Record<string, number>> = {};

/** The version in which events of a type are written today. */
export const versionOf = (type: string): number => newestVersions[type] ?? 1;

/** Name and version as the store holds them: `FacesMatched.v1`. */
export const storedType = (type: string): string => `${type}.v${versionOf(type)}`;

/** Every type that is written today, as stored. */
export const storedTypes: ReadonlyArray<string> = Object.keys(codecs).map(storedType);

/** Name and version of a stored type; version 0 when it has none. */
export const parseStoredType = (stored: string): { readonly type: string; readonly version: number } => {
  const match = /^(.+)\.v(\d+)$/.exec(stored);
  return { type: match?.[1] ?? stored, version: Number(match?.[2] ?? 0) };
};

export interface UnreadableEvent {
  readonly _tag: 'UnreadableEvent';
  readonly stored: string;
  readonly reason: string;
}

const isEventOf = (type: string, data: unknown): t.Validation<unknown> => {
  const codec = codecs[type];
  return codec === undefined ? t.failures([]) : codec.decode(data);
};

const isDomainEvent = (event: { readonly type: string; readonly data: unknown }): event is DomainEvent =>
  event.type in codecs;

/** The event that a store holds under a type, in its newest shape, or why no codec reads it. */
export const decodeEvent = (stored: string, data: unknown): E.Either<UnreadableEvent, DomainEvent> => {
  const upcast = retired[stored];
  const { type, version } = parseStoredType(stored);
  if (upcast === undefined && (!(type in codecs) || version !== versionOf(type)))
    return E.left({ _tag: 'UnreadableEvent', stored, reason: 'no codec for this type and version' });
  const decoded: t.Validation<unknown> =
    upcast === undefined ? isEventOf(type, data) : E.map((event: DomainEvent): unknown => event.data)(upcast(data));
  if (E.isLeft(decoded)) {
    const paths = decoded.left.map(({ context }) => context.map(({ key }) => key).join('/'));
    return E.left({ _tag: 'UnreadableEvent', stored, reason: `the data does not fit: ${paths.join(', ')}` });
  }
  const event = { type, data: decoded.right };
  return isDomainEvent(event)
    ? E.right(event)
    : E.left({ _tag: 'UnreadableEvent', stored, reason: 'no codec for this type and version' });
};
