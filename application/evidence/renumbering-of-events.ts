import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Renumbering } from '../../domain/kernel/renumbering.js';

/** How the analysis among these events numbers differently; nothing for one that was known already. */
export const renumberingOfEvents = (events: ReadonlyArray<DomainEvent>): Renumbering => {
  const found = events.find(
    (event) => event.type === 'AudioAnalysisRecorded' || event.type === 'VideoAnalysisRecorded',
  );
  return found === undefined ? { renumbered: [], discontinued: [] } : found.data;
};
