import type { SpeakerId } from '../kernel/ids.js';

/** The first speaker that is listed a second time. */
export const firstRepeatedSpeaker = (
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>,
): SpeakerId | undefined => {
  const seen = new Set<SpeakerId>();
  return speakers.find(({ speaker_id }) => seen.size === seen.add(speaker_id).size)?.speaker_id;
};
