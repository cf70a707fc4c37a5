import * as t from 'io-ts';
import { Timestamp } from './timestamp.js';

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const deepest = 32;

const isJsonWithin = (value: unknown, depth: number): value is Json => {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || depth === 0) return false;
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => isJsonWithin(part, depth - 1));
};

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isJsonWithin(value, deepest);

/** A JSON object of at most 32 levels, with finite numbers and well-formed strings only. */
export const JsonObject: t.Type<JsonObject> = new t.Type(
  'JsonObject',
  isJsonObject,
  (value, context) => (isJsonObject(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

/** A number that JSON can write. `t.number` also accepts NaN and infinities, which JSON writes as null. */
export const Finite = t.refinement(t.number, Number.isFinite, 'Finite');

/** Event codecs by event type. */
export type EventCodecs = Readonly<Record<string, t.Mixed>>;

/** The union of the events in a table of codecs. */
export type EventOf<Codecs extends EventCodecs> = {
  readonly [Type in keyof Codecs & string]: { readonly type: Type; readonly data: t.TypeOf<Codecs[Type]> };
}[keyof Codecs & string];

/** The data of one type of these events. */
export type DataIn<
  Event extends { readonly type: string; readonly data: unknown },
  Type extends Event['type'],
> = Extract<Event, { readonly type: Type }>['data'];

/** Makes a type guard for the events in a table of codecs. */
export const isEventOf =
  <Codecs extends EventCodecs>(codecs: Codecs) =>
  (event: { readonly type: string }): event is EventOf<Codecs> =>
    event.type in codecs;

/** A value that may be null but never missing. */
export const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** Why an event happened: a request for its record, or an event of another one. */
export const causeOf = <Kind extends string, Of extends t.Props>(kind: Kind, of: Of) =>
  t.union([t.type({ kind: t.literal('request') }), t.type({ kind: t.literal(kind), ...of })]);

/** Who caused an event: the API key and its account. Internal processes have reserved key ids. */
export const Actor = t.type({ key_id: t.string, account_id: t.string }, 'Actor');
export type Actor = t.TypeOf<typeof Actor>;

/** Metadata stored with each event. */
export const EventMetadata = t.type(
  {
    actor: Actor,
    /** Id of the request that caused the event, directly or indirectly. */
    correlation_id: t.string,
    /** The event or command that caused it. */
    causation_id: t.string,
    schema_version: t.number,
    recorded_at: Timestamp,
  },
  'EventMetadata',
);
export type EventMetadata = t.TypeOf<typeof EventMetadata>;

/** The key id of what retention does. */
export const retentionActor = 'retention';

/**
 * When a record was last used, after an event that changed it: retention's own event is no use, so that what a crash left of
 * a video and its audio stays due.
 */
export const lastUse = ({ actor, recorded_at }: EventMetadata, before: Timestamp): Timestamp =>
  actor.key_id === retentionActor ? before : recorded_at;

/** Opaque string that orders all events of a store: later events have greater positions. */
export type Position = string;

/** The position of this many digits that a text names, with or without leading zeros; null if it names none. */
export const positionIn = (text: string, digits: number): Position | null => {
  const number = /^0*(\d+)$/.exec(text)?.[1];
  return number === undefined || number.length > digits ? null : number.padStart(digits, '0');
};

/** An event as read from a store: decoded, in the current version of its type. */
export interface RecordedEvent<Event> {
  readonly position: Position;
  readonly stream: string;
  /** Index of the event in its stream, from 0. */
  readonly revision: number;
  readonly event_id: string;
  readonly event: Event;
  readonly metadata: EventMetadata;
}

/** The category of a stream: its name up to the first hyphen. */
export const streamCategory = (stream: string): string => {
  const hyphen = stream.indexOf('-');
  return hyphen === -1 ? stream : stream.slice(0, hyphen);
};

/** The id in a stream name: the part after the first hyphen. */
export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/**
 * An owner of an encryption key that seals all personal data about it: a video, an audio or a realtime session, named
 * like its stream.
 */
export type Subject = `${'video' | 'audio' | 'realtimeSession'}-${string}`;

export const videoSubject = (video_id: string): Subject => `video-${video_id}`;
export const audioSubject = (audio_id: string): Subject => `audio-${audio_id}`;
export const sessionSubject = (session_id: string): Subject => `realtimeSession-${session_id}`;

/** The subject that a stream belongs to; null if none. */
export const subjectOfStream = (stream: string): Subject | null => {
  const id = streamId(stream);
  switch (streamCategory(stream)) {
    case 'video':
    case 'faceTracks':
      return videoSubject(id);
    case 'audio':
    case 'speakerTurns':
    case 'transcript':
      return audioSubject(id);
    case 'realtimeSession':
      return sessionSubject(id);
    default:
      return null;
  }
};

/** Name prefix of the streams that clients of the protocol server may write. */
const externalPrefix = 'external-';

/** Whether a stream belongs to the protocol server or its clients, not to this service. */
export const isExternalStream = (stream: string): boolean =>
  stream.startsWith('$') || stream.startsWith(externalPrefix);

/** Whether an event is a system event of EventStoreDB. Their types begin with `$`. */
export const isServerRecord = ({ type }: { readonly type: string }): boolean => type.startsWith('$');
