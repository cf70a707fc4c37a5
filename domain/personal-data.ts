import type { DomainEvent, WithheldEvent } from './event-catalogue.js';
import { type Subject, subjectOfStream } from './kernel/subject.js';

/**
 * Which events hold personal data: their data is stored sealed, or (`told`) where it tells of somebody. What is not sealed
 * outlives every erasure.
 */
const privacy: { readonly [Type in Exclude<DomainEvent, WithheldEvent>['type']]: 'sealed' | 'told' | 'clear' } = {
  VideoRegistered: 'sealed',
  VideoDetailsChanged: 'sealed',
  AudioAssociated: 'sealed',
  AudioDissociated: 'sealed',
  VideoAnalysisRecorded: 'sealed',
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

  // Which runs there were, of which video and audio, stays known.
  MatchRunStarted: 'clear',
  MatchRunSuggested: 'clear',
  MatchRunSuperseded: 'clear',
  MatchRunCommitted: 'sealed',
  MatchRunFailureNoted: 'sealed',
  MatchRunUndone: 'sealed',
  LateWriteBackArrived: 'sealed',

  NameInferenceRequested: 'sealed',
  NameInferenceAnswered: 'sealed',
  // A run that was given up before it was asked is about nobody.
  NameInferenceFailed: 'told',

  RealtimeSessionCreated: 'sealed',
  RealtimeSessionTokenIssued: 'clear',
  RealtimeSessionNegotiated: 'clear',
  RealtimeSessionConnected: 'clear',
  RealtimeSessionDisconnected: 'clear',
  RealtimeSessionMetered: 'clear',
  RealtimeSessionEnded: 'clear',

  IdempotencyKeyClaimed: 'clear',
  WriteClaimed: 'clear',
  AnswerPieceKept: 'told',
  WriteAnswered: 'told',
  WriteReleased: 'clear',

  AccountOpened: 'clear',
  ApiKeyIssued: 'clear',
  ApiKeyRevoked: 'clear',
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

const kinds: ReadonlyMap<string, 'sealed' | 'told' | 'clear'> = new Map(Object.entries(privacy));

const kindOf = (type: string) => kinds.get(type.replace(/\.v\d+$/, '')) ?? 'clear';

/** Whether events of a type, with its version or without, must be sealed. */
export const isPersonal = (type: string): boolean => kindOf(type) === 'sealed';

/**
 * Whose keys seal an event: of whom its stream is, and of all others that it says something of (`about`). It can be read
 * for as long as all of these exist. None for an event that holds nothing personal.
 */
export const subjectsOf = (type: string, stream: string, about: ReadonlyArray<Subject>): ReadonlyArray<Subject> => {
  if (kindOf(type) === 'clear') return [];
  const own = subjectOfStream(stream);
  return [...new Set(own === null ? about : [own, ...about])].sort();
};
