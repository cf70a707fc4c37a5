import type { Conversation } from './conversations.js';
import { speakerId } from '../../support/values.js';

const [speakers, words, wordsPerTurn] = [20, 10_000, 50];
const firstNames = ['Laura', 'Daniel', 'Helen', 'Peter', 'Maria', 'Karl', 'Anna', 'Victor', 'Julia', 'Simon'];
const lastNames = ['Whitfield', 'Okafor'];

const nameOf = (speaker: number): string =>
  `${firstNames[speaker % firstNames.length]} ${lastNames[Math.floor(speaker / firstNames.length)]}`;

/** A call of an hour: a chair introduces many speakers, who thank each other by name. */
export const longCall = (): Conversation => {
  const turns = words / wordsPerTurn;
  const transcript = Array.from({ length: turns }, (_, turn) => {
    const speaker = turn % 2 === 0 ? 0 : 1 + (Math.floor(turn / 2) % (speakers - 1));
    const next = 1 + (Math.floor(turn / 2) % (speakers - 1));
    const talk = 'The margins of our new plant are rising again, and we expect more of it. '.repeat(3);
    const last = speaker === 0 ? `Our next question comes from ${nameOf(next)}. Go ahead.` : 'Thanks again.';
    return { speaker_id: speakerId(speaker), text: `${talk}${last}`, start: turn * 18, end: turn * 18 + 18 };
  });
  const truth = Array.from({ length: speakers }, (_, speaker) => {
    const said = { name: nameOf(speaker), spoken: 'full', role: null } as const;
    return [speakerId(speaker), said] as const;
  });
  return { id: 'long', transcript, truth: new Map(truth) };
};
