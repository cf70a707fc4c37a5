import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { accessEvents } from './access/contract.js';
import { auditSealEvents } from './audit-seal/contract.js';
import { audioEvents, speechEvents } from './audio/events.js';
import { creditAccountEvents } from './credit-account/contract.js';
import { idempotencyKeyEvents } from './idempotency-key/contract.js';
import type { Timestamp } from './kernel/timestamp.js';
import { type EventCodecs, type EventOf, type Subject, subjectOfStream } from './kernel/recorded-event.js';
import { matchRunEvents } from './match-run/contract.js';
import { nameInferenceEvents } from './name-inference/contract.js';
import { tagRegistryEvents } from './tag-registry/contract.js';
import { realtimeCapacityEvents } from './realtime-capacity/contract.js';
import { realtimeSessionEvents } from './realtime-session/contract.js';
import { videoEvents, faceTracksEvents } from './video/events.js';
import { type NamedBy, isRealName } from './kernel/names.js';

/** Encrypted, encrypted if the event has a subject, or not. What is not encrypted remains after an erasure. */
type Privacy = 'sealed' | 'sealed_if_about' | 'clear';

/** The events of each category of streams, and how their data is stored. */
const byCategory = {
  video: [videoEvents, 'sealed'],
  faceTracks: [faceTracksEvents, 'sealed'],
  audio: [audioEvents, 'sealed'],
  speakerTurns: [{ SpeakerTurnsRecorded: speechEvents.SpeakerTurnsRecorded }, 'sealed'],
  transcript: [{ TranscriptRecorded: speechEvents.TranscriptRecorded }, 'sealed'],
  matchRun: [matchRunEvents, 'sealed'],
  account: [accessEvents, 'clear'],
  creditAccount: [creditAccountEvents, 'clear'],
  nameInference: [nameInferenceEvents, 'sealed'],
  idempotencyKey: [idempotencyKeyEvents, 'sealed_if_about'],
  auditSeal: [auditSealEvents, 'clear'],
  tagRegistry: [tagRegistryEvents, 'clear'],
  realtimeSession: [realtimeSessionEvents, 'sealed'],
  realtimeCapacity: [realtimeCapacityEvents, 'clear'],
} as const satisfies Readonly<Record<string, readonly [EventCodecs, Privacy]>>;

type Category = keyof typeof byCategory;

/** An event whose data cannot be read, because its subject was erased or its key is missing. It changes no state. */
export interface WithheldEvent {
  readonly type: 'Withheld';
  readonly data: {
    readonly stored: string;
    readonly why: 'erased' | 'key_missing';
    readonly erased_at: Timestamp | null;
  };
}

type StoredEvent = { readonly [Of in Category]: EventOf<(typeof byCategory)[Of][0]> }[Category];

export type DomainEvent = WithheldEvent | StoredEvent;

/** The data of one event type. */
export type DataOf<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>['data'];

/** Event codecs by stream category. */
export const eventsByCategory: Readonly<Record<string, EventCodecs>> = Object.fromEntries(
  Object.entries(byCategory).map(([category, [events]]) => [category, events]),
);

/** The categories (stream name up to the first hyphen) of all streams of this service. */
export const categories: ReadonlyArray<string> = Object.keys(byCategory);

const codecs: EventCodecs = Object.fromEntries(Object.values(eventsByCategory).flatMap(Object.entries<t.Mixed>));

/** All event types, without version. */
export const eventTypes: ReadonlyArray<string> = Object.keys(codecs);

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

/** A version that lacks these fields. */
const lacking =
  (fields: Fields): Upcast =>
  (data) => ({ ...fields, ...data });

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
const noMediaUrl = lacking({ media_url: null });

/** Version 1 has no decisions about links. */
const noRuledOut = lacking({ ruled_out: [] });
const videosPart: Upcast = (data) => {
  const video = data['video'];
  return t.UnknownRecord.is(video)
    ? { ...data, video: { ...video, changes: noRuledOut(fieldsOf(video['changes'])) } }
    : data;
};

/** Version 1 kept what an analysis did not bring, and every number meant what it meant before. */
const noRenumbering = lacking({ renumbered: [], discontinued: [] });
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

/**
 * Converts the data of versions that are no longer written to the current one, by stored type. They are never removed,
 * because existing logs hold such events.
 */
export const upcasters: Readonly<Record<string, Upcast>> = {
  'LogSealed.v1': lacking({ covers: 'rows' }),
  'IdempotencyKeyClaimed.v1': claimOfRun,
  'ApiKeyIssued.v1': lacking({ expires_at: null, made_by: null }),
  'RealtimeSlotTaken.v1': lacking({ account_id: null }),
  'RealtimeSessionEnded.v1': lacking({ account_id: null }),
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
  'TranscriptReplaced.v1': unchanged,
  'SpeakersRenamed.v1': each('speakers', renaming),
  'NamesInferred.v1': inOrder(each('renamed', renaming), each('roles', casting)),
  'SpeakerRolesSet.v1': each('speakers', casting),
  'VideoChangeReverted.v1': noRuledOut,
  'VideoChangeReverted.v2': unchanged,
  'AudioChangeReverted.v1': videosPart,
  'SpeakersMerged.v1': lacking({ renamed: null, called: null }),
};

/** A stored type without its version. */
const typeIn = (stored: string): string => stored.replace(/\.v\d+$/, '');

const retiredByType = new Map(
  eventTypes.map((type) => [type, Object.keys(upcasters).filter((stored) => typeIn(stored) === type)]),
);

const retiredVersions = (type: string): ReadonlyArray<string> => retiredByType.get(type) ?? [];

/** The current version of an event type: each version before it is retired. */
export const versionOf = (type: string): number => retiredVersions(type).length + 1;

/** Type name with version, as stored: `FacesMatched.v1`. */
export const storedType = (type: string): string => `${type}.v${versionOf(type)}`;

/** All versions of an event type, as stored types. */
export const storedVersions = (type: string): ReadonlyArray<string> => [storedType(type), ...retiredVersions(type)];

/** Whether events of a stored type erase data: earlier data of the stream must no longer be found. */
export const isErasing = (stored: string): boolean => /^(Medium|Audio)Erased\./.test(stored);

interface Reader {
  readonly type: string;
  readonly upcast: Upcast;
}

/** Types that have another name since. */
const renamedTypes: Readonly<Record<string, string>> = { IdempotencyKeyClaimed: 'WriteClaimed' };

const readers: ReadonlyMap<string, Reader> = new Map([
  ...eventTypes.map((type) => [storedType(type), { type, upcast: unchanged }] as const),
  ...Object.entries(upcasters).map(([stored, upcast]) => {
    const type = typeIn(stored);
    return [stored, { type: renamedTypes[type] ?? type, upcast }] as const;
  }),
]);

export interface UndecodableEvent {
  readonly stored: string;
  readonly reason: string;
}

/** By its codec, data of this type is what the type says. */
const isDecoded = (event: { readonly type: string; readonly data: unknown }): event is StoredEvent =>
  codecs[event.type]?.is(event.data) === true;

/**
 * Decodes a stored event to the current version of its type, or returns why no codec can read it. No event codec
 * transforms its input: `is` suffices, and takes a quarter of the time of `decode`, which says what is wrong.
 */
export const decodeEvent = (stored: string, data: unknown): E.Either<UndecodableEvent, DomainEvent> => {
  const reader = readers.get(stored);
  if (reader === undefined) return E.left({ stored, reason: 'no codec for this type and version' });
  const { type, upcast } = reader;
  const event = { type, data: t.UnknownRecord.is(data) ? upcast(data) : data };
  if (isDecoded(event)) return E.right(event);
  const decoded = (codecs[type] ?? t.never).decode(event.data);
  const paths = E.isLeft(decoded) ? decoded.left.map(({ context }) => context.map(({ key }) => key).join('/')) : [];
  return E.left({ stored, reason: `the data does not fit: ${paths.join(', ')}` });
};

/** The types that are not stored as the others of their category. */
const privacyOfType: Readonly<Partial<Record<StoredEvent['type'], Privacy>>> = {
  MediumErased: 'clear',

  // The ids of runs and their media are kept after erasure.
  MatchRunStarted: 'clear',
  MatchRunSuggested: 'clear',
  MatchRunSuperseded: 'clear',

  // A run that was abandoned before it was requested has no subject.
  NameInferenceFailed: 'sealed_if_about',

  RealtimeSessionTokenIssued: 'clear',
  RealtimeSessionNegotiated: 'clear',
  RealtimeSessionConnected: 'clear',
  RealtimeSessionDisconnected: 'clear',
  RealtimeSessionMetered: 'clear',
  RealtimeSessionEnded: 'clear',

  WriteClaimed: 'clear',
  WriteReleased: 'clear',
};

const kinds: ReadonlyMap<string, Privacy> = new Map([
  ...Object.values(byCategory).flatMap(([events, kind]) =>
    Object.keys(events).map((type): [string, Privacy] => [type, kind]),
  ),
  ...Object.entries(privacyOfType),
]);

const kindOf = (type: string): Privacy => kinds.get(typeIn(type)) ?? 'clear';

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
