import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { type AccessEvent, accessEvents } from './access/contract.js';
import { type AuditSealEvent, LogSealedV1, auditSealEvents, upcastSeal } from './audit-seal/contract.js';
import { type AudioEvent, type SpeechEvent, audioEvents, speechEvents } from './audio/events.js';
import { type CreditAccountEvent, creditAccountEvents } from './credit-account/contract.js';
import { type IdempotencyKeyEvent, idempotencyKeyEvents } from './idempotency-key/contract.js';
import type { Timestamp } from './kernel/timestamp.js';
import { type EventCodecs, type Subject, subjectOfStream } from './kernel/recorded-event.js';
import { type MatchRunEvent, matchRunEvents } from './match-run/contract.js';
import { type NameInferenceEvent, nameInferenceEvents } from './name-inference/contract.js';
import { type TagRegistryEvent, tagRegistryEvents } from './tag-registry/contract.js';
import { type RealtimeCapacityEvent, realtimeCapacityEvents } from './realtime-capacity/contract.js';
import { type RealtimeSessionEvent, realtimeSessionEvents } from './realtime-session/contract.js';
import { type VideoEvent, type FaceTracksEvent, videoEvents, faceTracksEvents } from './video/events.js';
import { type NamedBy, isRealName } from './kernel/names.js';

type Fields = Readonly<Record<string, unknown>>;
type Upcast = (data: Fields) => Fields;

const fieldsOf = (value: unknown): Fields => (t.UnknownRecord.is(value) ? value : {});

const each =
  (list: string, upcast: Upcast): Upcast =>
  (data) => {
    const items = data[list];
    return t.UnknownArray.is(items)
      ? { ...data, [list]: items.map((item) => (t.UnknownRecord.is(item) ? upcast(item) : item)) }
      : data;
  };

const inOrder =
  (...upcasts: ReadonlyArray<Upcast>): Upcast =>
  (data) =>
    upcasts.reduce((upcasted, upcast) => upcast(upcasted), data);

/**
 * Version 1 did not record who gave a name. A real name counts as given by a person, so that no analysis overwrites it.
 */
const taken = (name: unknown): NamedBy => (typeof name === 'string' && isRealName(name) ? 'person' : 'analysis');

const faceChange: Upcast = (change) => {
  const [before, after] = [fieldsOf(change['before'])['name'], fieldsOf(change['after'])['name']];
  return { ...change, named_by: before === after ? null : { before: taken(before), after: taken(after) } };
};

/** In version 1 all renamings count as made by a person. */
const renaming: Upcast = (item) => ({
  ...item,
  named_by: { before: taken(item['previous_name']), after: 'person' },
});

const casting: Upcast = (item) => ({ ...item, role_by: { before: 'analysis', after: 'person' } });

/** A speaker that already had the name was not renamed. */
const namedSpeaker: Upcast = (item) => ({
  ...item,
  previous_named_by: item['name'] === item['previous_name'] ? 'person' : taken(item['previous_name']),
});

const changes = each('changes', faceChange);
const replaced = each('replaced', faceChange);
const noMediaUrl: Upcast = (data) => ({ ...data, media_url: null });

/** Version 1 has no decisions about links. */
const noRuledOut: Upcast = (data) => ({ ...data, ruled_out: [] });
const videosPart: Upcast = (data) => {
  const video = data['video'];
  return t.UnknownRecord.is(video)
    ? { ...data, video: { ...video, changes: noRuledOut(fieldsOf(video['changes'])) } }
    : data;
};

/** Version 1 kept what an analysis did not bring, and every number meant what it meant before. */
const noRenumbering: Upcast = (data) => ({ ...data, renumbered: [], discontinued: [] });
const keptEvidence: Upcast = (data) => ({
  ...data,
  keeps: { turns: data['turns'] === null, transcript: data['transcript'] === null },
});

/** Runs of name inference claimed keys by an event of their own. Such a run is finished, and no request equals its own. */
const claimOfRun: Upcast = ({ run_id, ...claim }) => ({
  ...claim,
  write_id: run_id,
  instance_id: 'none',
  process_id: 'none',
});

/** The current version may lack what this one always has. */
const unchanged: Upcast = (data) => data;

/** Converts the data of old event versions to the current version, by stored type. Never remove one. */
export const upcasters: Readonly<Record<string, Upcast>> = {
  'VideoRegistered.v1': noMediaUrl,
  'AudioAttached.v1': noMediaUrl,
  'AudioAnalysisRecorded.v1': inOrder(keptEvidence, noRenumbering),
  'VideoAnalysisRecorded.v1': noRenumbering,
  'VideoAnalysisRecorded.v2': unchanged,
  'FacesRenamed.v1': each('faces', renaming),
  'FacesMatched.v1': inOrder(changes, each('speakers', namedSpeaker)),
  'SpeakerWithdrawn.v1': changes,
  'MatchesCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailed.v1': replaced,
  'MatchRunReverted.v1': changes,
  'MatchRunCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailureNoted.v1': replaced,
  'MatchRunUndone.v1': changes,
  'MatchRunUndone.v2': unchanged,
  'TranscriptReplaced.v1': (data) => data,
  'SpeakersRenamed.v1': each('speakers', renaming),
  'NamesInferred.v1': inOrder(each('renamed', renaming), each('roles', casting)),
  'SpeakerRolesSet.v1': each('speakers', casting),
  'VideoChangeReverted.v1': noRuledOut,
  'VideoChangeReverted.v2': unchanged,
  'AudioChangeReverted.v1': videosPart,
  'SpeakersMerged.v1': (data) => ({ ...data, renamed: null, called: null }),
};

/** An event whose data cannot be read, because its subject was erased or its key is missing. It changes no state. */
export interface WithheldEvent {
  readonly type: 'Withheld';
  readonly data: {
    readonly stored: string;
    readonly why: 'erased' | 'key_missing';
    readonly erased_at: Timestamp | null;
  };
}

export type DomainEvent =
  | WithheldEvent
  | VideoEvent
  | FaceTracksEvent
  | AudioEvent
  | SpeechEvent
  | MatchRunEvent
  | AccessEvent
  | CreditAccountEvent
  | NameInferenceEvent
  | IdempotencyKeyEvent
  | AuditSealEvent
  | TagRegistryEvent
  | RealtimeSessionEvent
  | RealtimeCapacityEvent;

/** The data of one event type. */
export type DataOf<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>['data'];

/** The current version of an event type: each version before it is retired. */
export const versionOf = (type: string): number => retiredVersions(type).length + 1;

/** Type name with version, as stored: `FacesMatched.v1`. */
export const storedType = (type: string): string => `${type}.v${versionOf(type)}`;

const only = <Type extends keyof typeof speechEvents>(type: Type) => ({ [type]: speechEvents[type] });

/** Event codecs by stream category. */
export const eventsByCategory: Readonly<Record<string, EventCodecs>> = {
  video: videoEvents,
  faceTracks: faceTracksEvents,
  audio: audioEvents,
  speakerTurns: only('SpeakerTurnsRecorded'),
  transcript: only('TranscriptRecorded'),
  matchRun: matchRunEvents,
  account: accessEvents,
  creditAccount: creditAccountEvents,
  nameInference: nameInferenceEvents,
  idempotencyKey: idempotencyKeyEvents,
  auditSeal: auditSealEvents,
  tagRegistry: tagRegistryEvents,
  realtimeSession: realtimeSessionEvents,
  realtimeCapacity: realtimeCapacityEvents,
};

const codecs: EventCodecs = Object.fromEntries(Object.values(eventsByCategory).flatMap(Object.entries<t.Mixed>));

/** All event types, without version. */
export const eventTypes: ReadonlyArray<string> = Object.keys(codecs);

/** The categories (stream name up to the first hyphen) of all streams of this service. */
export const categories: ReadonlyArray<string> = Object.keys(eventsByCategory);

/** Whether events of a stored type erase data: earlier data of the stream must no longer be found. */
export const isErasing = (stored: string): boolean => /^(Medium|Audio)Erased\./.test(stored);

type Reader = (data: unknown) => t.Validation<DomainEvent>;

const isDomainEvent = (event: { readonly type: string; readonly data: unknown }): event is DomainEvent =>
  event.type in codecs;

interface Recognising extends t.Decoder<unknown, unknown> {
  readonly is: (value: unknown) => boolean;
}

/** Reads current events. No event codec transforms its input, so data that `is` accepts is returned as it is. */
const current =
  (type: string, codec: Recognising): Reader =>
  (data) => {
    // `is` takes a quarter of the time of `decode` and allocates nothing.
    const recognised = { type, data };
    if (codec.is(data) && isDomainEvent(recognised)) return E.right(recognised);
    const decoded = codec.decode(data);
    if (E.isLeft(decoded)) return decoded;
    const event = { type, data: decoded.right };
    return isDomainEvent(event) ? E.right(event) : t.failures([]);
  };

/** Reads a version that lacks some fields and fills them with these values. */
const without =
  (type: string, codec: Recognising, fields: Readonly<Record<string, unknown>>): Reader =>
  (data) =>
    current(type, codec)(typeof data === 'object' && data !== null ? { ...fields, ...data } : data);

/** Reads an older version by upcasting its data to the current version. */
const upcasted = ([stored, upcast]: readonly [string, (typeof upcasters)[string]]): readonly [string, Reader] => {
  const type = stored.replace(/\.v\d+$/, '');
  const read = current(type, codecs[type] ?? t.never);
  return [stored, (data) => read(t.UnknownRecord.is(data) ? upcast(data) : data)];
};

/**
 * Readers of versions that are no longer written, by stored type. They are never removed, because existing logs hold
 * such events.
 */
const retired: Readonly<Record<string, Reader>> = {
  'LogSealed.v1': (data) =>
    pipe(
      LogSealedV1.decode(data),
      E.map((sealed) => ({ type: 'LogSealed', data: upcastSeal(sealed) })),
    ),
  'IdempotencyKeyClaimed.v1': (data) =>
    current('WriteClaimed', idempotencyKeyEvents.WriteClaimed)(t.UnknownRecord.is(data) ? claimOfRun(data) : data),
  'ApiKeyIssued.v1': without('ApiKeyIssued', accessEvents.ApiKeyIssued, { expires_at: null, made_by: null }),
  ...Object.fromEntries(Object.entries(upcasters).map(upcasted)),
  'RealtimeSlotTaken.v1': without('RealtimeSlotTaken', realtimeCapacityEvents.RealtimeSlotTaken, { account_id: null }),
  'RealtimeSessionEnded.v1': without('RealtimeSessionEnded', realtimeSessionEvents.RealtimeSessionEnded, {
    account_id: null,
  }),
};

/** All stored types that are read but no longer written. */
export const retiredTypes: ReadonlyArray<string> = Object.keys(retired);

const retiredByType = new Map(
  eventTypes.map((type) => [type, retiredTypes.filter((stored) => stored.replace(/\.v\d+$/, '') === type)]),
);

const retiredVersions = (type: string): ReadonlyArray<string> => retiredByType.get(type) ?? [];

/** All versions of an event type, as stored types. */
export const storedVersions = (type: string): ReadonlyArray<string> => [storedType(type), ...retiredVersions(type)];

const readers: ReadonlyMap<string, Reader> = new Map([
  ...Object.entries(codecs).map(([type, codec]) => [storedType(type), current(type, codec)] as const),
  ...Object.entries(retired),
]);

export interface UndecodableEvent {
  readonly stored: string;
  readonly reason: string;
}

/** Decodes a stored event to the current version of its type, or returns why no codec can read it. */
export const decodeEvent = (stored: string, data: unknown): E.Either<UndecodableEvent, DomainEvent> => {
  const reader = readers.get(stored);
  if (reader === undefined) return E.left({ stored, reason: 'no codec for this type and version' });
  const decoded = reader(data);
  if (E.isRight(decoded)) return decoded;
  const paths = decoded.left.map(({ context }) => context.map(({ key }) => key).join('/'));
  return E.left({ stored, reason: `the data does not fit: ${paths.join(', ')}` });
};

/**
 * How the data of each event type is stored: `sealed` (encrypted), `clear`, or `sealed_if_about`: sealed if the event
 * has a subject. Data that is not sealed remains after erasure.
 */
const privacy: {
  readonly [Type in Exclude<DomainEvent, WithheldEvent>['type']]: 'sealed' | 'sealed_if_about' | 'clear';
} = {
  VideoRegistered: 'sealed',
  VideoDetailsChanged: 'sealed',
  AudioAssociated: 'sealed',
  AudioDissociated: 'sealed',
  VideoAnalysisRecorded: 'sealed',
  SpeakersRenumbered: 'sealed',
  PersonalityTraitsRecorded: 'sealed',
  FacesRenamed: 'sealed',
  FacesMatched: 'sealed',
  LinksDecided: 'sealed',
  FaceUnmatched: 'sealed',
  SpeakerWithdrawn: 'sealed',
  MatchRunQueued: 'sealed',
  SuggestionsStored: 'sealed',
  MatchesCommitted: 'sealed',
  MatchRunFailed: 'sealed',
  MatchRunReverted: 'sealed',
  TagsWritten: 'sealed',
  TagRemoved: 'sealed',
  VideoChangeReverted: 'sealed',
  FaceTracksRecorded: 'sealed',
  AudioErased: 'sealed',
  MediumErased: 'clear',

  AudioRegistered: 'sealed',
  AudioAttached: 'sealed',
  AudioDetached: 'sealed',
  AudioDetailsChanged: 'sealed',
  AudioAnalysisRecorded: 'sealed',
  TranscriptReplaced: 'sealed',
  SpeakersRenamed: 'sealed',
  NamesInferred: 'sealed',
  SpeakerRolesSet: 'sealed',
  SpeakersMerged: 'sealed',
  SpeakerDeleted: 'sealed',
  AudioChangeReverted: 'sealed',
  SpeakerTurnsRecorded: 'sealed',
  TranscriptRecorded: 'sealed',

  // The ids of runs and their media are kept after erasure.
  MatchRunStarted: 'clear',
  MatchRunSuggested: 'clear',
  MatchRunSuperseded: 'clear',
  MatchRunCommitted: 'sealed',
  MatchRunFailureNoted: 'sealed',
  MatchRunUndone: 'sealed',
  LateWriteBackArrived: 'sealed',

  NameInferenceRequested: 'sealed',
  NameInferenceAnswered: 'sealed',
  // A run that was abandoned before it was requested has no subject.
  NameInferenceFailed: 'sealed_if_about',

  RealtimeSessionCreated: 'sealed',
  RealtimeSessionTokenIssued: 'clear',
  RealtimeSessionNegotiated: 'clear',
  RealtimeSessionConnected: 'clear',
  RealtimeSessionDisconnected: 'clear',
  RealtimeSessionMetered: 'clear',
  RealtimeSessionEnded: 'clear',

  WriteClaimed: 'clear',
  AnswerPieceKept: 'sealed_if_about',
  WriteAnswered: 'sealed_if_about',
  WriteReleased: 'clear',

  AccountOpened: 'clear',
  ApiKeyIssued: 'clear',
  ApiKeyRevoked: 'clear',
  AccountRenamed: 'clear',
  RetentionSet: 'clear',
  CreditsGranted: 'clear',
  CreditsCorrected: 'clear',
  CreditsCharged: 'clear',
  CreditsHeld: 'clear',
  HoldReleased: 'clear',
  SpendingWindowSet: 'clear',
  SpendingWindowCleared: 'clear',
  LogSealed: 'clear',
  TagKeyRegistered: 'clear',
  RealtimeSlotTaken: 'clear',
  RealtimeSlotFreed: 'clear',
  RealtimeSlotLapsed: 'clear',
};

const kinds: ReadonlyMap<string, 'sealed' | 'sealed_if_about' | 'clear'> = new Map(Object.entries(privacy));

const kindOf = (type: string) => kinds.get(type.replace(/\.v\d+$/, '')) ?? 'clear';

/** Whether events of a type, given with or without version, must be sealed. */
export const isPersonal = (type: string): boolean => kindOf(type) === 'sealed';

/**
 * The subjects whose keys seal an event: the owner of its stream and all others it concerns (`about`). The event is
 * readable as long as all these keys exist. Empty for events without personal data.
 */
export const subjectsOf = (type: string, stream: string, about: ReadonlyArray<Subject>): ReadonlyArray<Subject> => {
  if (kindOf(type) === 'clear') return [];
  const own = subjectOfStream(stream);
  return [...new Set(own === null ? about : [own, ...about])].sort();
};
