import { spokenInCaptions } from '../captions.js';
import { readCues } from '../cues.js';
import type { LineFormat } from '../format.js';
import { plainText } from '../plain-text.js';
import { Tally } from '../tally.js';

const times = /^\s*(\d+:\d\d:\d\d[.]\d{1,3}),(\d+:\d\d:\d\d[.]\d{1,3})\s*$/;

/** The lines of SubRip that say the same. */
function* asSubRip(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield line.replace(times, '$1 --> $2');
}

/** YouTube's SBV: `0:00:01.000,0:00:02.400`, then the text, with labels as in SubRip (SubtitleEdit, `YouTubeSbv.cs`). */
export const sbv: LineFormat = {
  name: 'sbv',
  reads: 'lines',
  recognises: (start) => times.test(start.split('\n', 1)[0] ?? ''),
  read: (lines) => {
    const [dropped, notes] = [new Tally(), new Tally()];
    const cues = readCues(asSubRip(lines), { header: false, subRip: true }, dropped);
    const captions = cues.map(({ line: place, text, ...cue }) => {
      const plain = text.flatMap((line) => line.split('[br]')).map(plainText);
      return { ...cue, place, speaker: null, text: plain.filter((line) => line !== '') };
    });
    const spoken = spokenInCaptions(captions, { inherits: true, rolls: true }, dropped, notes);
    return {
      rows: cues.length,
      speech: { grain: 'utterance', spoken, missing: 'no caption with text' },
      dropped,
      notes,
    };
  },
};
