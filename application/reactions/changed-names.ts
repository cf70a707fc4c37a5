import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';
import { type MatchedName, matchedBy } from '../../domain/video/diverged-names.js';
import type { VideoEvent } from '../../domain/video/events.js';

/** Whose names, or whose faces, an event changed. */
export interface ChangedNames {
  /** Null: of all, but only whether they are still there. */
  readonly speaker_ids: ReadonlyArray<SpeakerId> | null;
  /** The faces as the event left them; null of one that changed speakers. */
  readonly matched: ReadonlyArray<MatchedName> | null;
}

export const ofSpeakers = (speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): ChangedNames | null =>
  speakers.length === 0 ? null : { speaker_ids: speakers.map(({ speaker_id }) => speaker_id), matched: null };

export const ofFaces = (event: VideoEvent): ChangedNames | null => {
  const matched = matchedBy(event);
  return matched.length === 0 ? null : { speaker_ids: matched.map(({ speaker_id }) => speaker_id), matched };
};

/** The faces of a speaker who is gone have gone over to another. */
export const ofWithdrawn = (event: VideoEvent): ChangedNames | null => ofSpeakers(matchedBy(event));

/** An analysis that finds other speakers leaves faces with those whom it did not find. */
export const whetherGone = ({ data }: Extract<DomainEvent, { type: 'AudioAnalysisRecorded' }>): ChangedNames | null =>
  data.status === 'completed' ? { speaker_ids: null, matched: null } : null;
