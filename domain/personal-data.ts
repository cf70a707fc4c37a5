import type { DomainEvent, WithheldEvent } from './event-catalogue.js';
import { type Subject, subjectOfStream } from './kernel/stream-name.js';

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
