import { readCues } from '../cues.js';
import type { LineFormat } from '../format.js';
import { plainText } from '../plain-text.js';
import { Tally } from '../tally.js';
import { spokenInCues, untagged } from './webvtt.js';

/** Positions of Advanced SubStation, which players accept in SubRip: `{\an8}`. Other braces are text. */
const position = /\{\\[^{}]*\}/g;

/**
 * SubRip (no standard): numbers, times as `00:00:01,000 --> 00:00:02,500`, text with names before it; by convention a cue
 * without a name belongs to the previous speaker.
 */
export const srt: LineFormat = {
  name: 'srt',
  reads: 'lines',
  recognises: (start) => /^(?:\d+[ \t]*\n\s*)?[\d:]+(?:[.,]\d+)?\s*-->/.test(start),
  read: (lines) => {
    const [dropped, notes] = [new Tally(), new Tally()];
    const cues = readCues(lines, { header: false, subRip: true }, dropped);
    const plain = untagged(cues, (text) => plainText(text.replaceAll(position, '')), dropped);
    const spoken = spokenInCues(plain, true, notes);
    return { rows: cues.length, speech: { grain: 'utterance', spoken, missing: 'no cue with text' }, dropped, notes };
  },
};
