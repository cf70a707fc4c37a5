import { storedVersions } from '../../domain/event-catalogue.js';
import type { Application } from '../application.js';
import type { Process } from './run-process.js';
import { settle } from './settle.js';

const withFollowUps = [
  'AudioAssociated',
  'FacesMatched',
  'MatchRunQueued',
  'SuggestionsStored',
  'MatchesCommitted',
  'MatchRunFailed',
  'MatchRunReverted',
  'VideoChangeReverted',
  'AudioAttached',
  'AudioAnalysisRecorded',
  'AudioChangeReverted',
  'SpeakersRenamed',
  'NamesInferred',
  'NameInferenceAnswered',
  'SpeakerWithdrawn',
  'SpeakersMerged',
  'SpeakerDeleted',
  'RealtimeSessionMetered',
  'RealtimeSessionEnded',
  'RealtimeSlotLapsed',
];

const categories = ['video', 'audio', 'nameInference', 'realtimeSession', 'realtimeCapacity'];

/** Finishes what a request could not: settles every event of the log, most of which are settled already. */
export const followUpProcess = (app: Application): Process => ({
  name: 'follow-ups',
  filter: { categories, types: withFollowUps.flatMap(storedVersions) },
  concurrency: 1,
  react: settle(app, null),
});
