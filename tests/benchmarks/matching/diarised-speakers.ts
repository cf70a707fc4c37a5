import { merged, forEachOverlap, sharedSeconds } from '../../../domain/matching/intervals.js';
import type { Clip, Diarisation } from './clips.js';
import type { HeardSpeaker } from './mixed-speakers.js';

const turnsOf = (segments: readonly (readonly [number, number])[]) => segments.map(([start, end]) => ({ start, end }));

/**
 * The speakers of a diarisation with errors. Each stands for the true speaker who says most of what it says, or for
 * nobody if it has no speech.
 */
export const diarisedSpeakers = (clip: Clip, diarisation: Diarisation): readonly HeardSpeaker[] =>
  (clip.hypotheses?.[diarisation] ?? []).map(({ speaker_id, segments }) => {
    const heard = merged(turnsOf(segments));
    const shares = clip.speakers.map((speaker) => {
      const own = merged(turnsOf(speaker.segments));
      let seconds = 0;
      forEachOverlap(heard, own, (a, b) => (seconds += sharedSeconds(heard, a, own, b)));
      return { person: speaker.speaker_id, seconds };
    });
    const [most] = shares.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
    return { speaker_id, turns: turnsOf(segments), people: most === undefined ? [] : [most.person] };
  });
