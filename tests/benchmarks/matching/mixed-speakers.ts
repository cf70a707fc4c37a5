import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import type { Clip } from './clips.js';
import { speakerId } from '../../support/values.js';

/** A speaker of a diarisation, and the true speakers whose speech it contains. */
export interface HeardSpeaker {
  readonly speaker_id: SpeakerId;
  readonly turns: readonly Interval[];
  readonly people: readonly SpeakerId[];
}

const halves = (speaker: HeardSpeaker, random: () => number): readonly HeardSpeaker[] => {
  const marked = speaker.turns.map((turn) => ({ turn, first: random() < 0.5 }));
  const part = (first: boolean): readonly Interval[] => marked.filter((m) => m.first === first).map(({ turn }) => turn);
  return [
    { ...speaker, turns: part(true) },
    { ...speaker, speaker_id: speakerId(speaker.speaker_id + 10_000), turns: part(false) },
  ];
};

/**
 * The speakers of a clip with simulated diarisation errors: each chosen one is, with even
 * chances, split turn by turn into two, or merged with one that was not chosen. A half without turns is dropped.
 */
export const mixedSpeakers = (clip: Clip, share: number, random: () => number): readonly HeardSpeaker[] => {
  const speakers = clip.speakers.map(({ speaker_id, segments }) => ({
    speaker_id,
    turns: segments.map(([start, end]) => ({ start, end })),
    people: [speaker_id],
  }));
  if (share === 0) return speakers;
  const dice = speakers.map((speaker) => ({ speaker, chosen: random() < share, split: random() < 0.5 }));
  let spared: readonly HeardSpeaker[] = dice.filter(({ chosen }) => !chosen).map(({ speaker }) => speaker);
  const split: HeardSpeaker[] = [];
  for (const { speaker } of dice.filter((die) => die.chosen && !die.split)) {
    const into = spared[Math.floor(random() * spared.length)];
    if (into === undefined) split.push(speaker);
    else
      spared = spared.map((s) =>
        s === into ? { ...s, turns: [...s.turns, ...speaker.turns], people: [...s.people, ...speaker.people] } : s,
      );
  }
  for (const { speaker } of dice.filter((die) => die.chosen && die.split)) split.push(...halves(speaker, random));
  return [...spared, ...split].filter(({ turns }) => turns.length > 0);
};
