import * as E from 'fp-ts/lib/Either.js';
import { buildSpeech } from './build-speech.js';
import { type Cue, CueLines } from './cue-lines.js';
import type { ImportedSpeech } from './imported.js';
import type { LineParser } from './line-parser.js';
import { spokenByPrefix } from './speaker-prefixes.js';
import type { Spoken } from './speech-parts.js';
import { Tally } from './tally.js';
import { plainText, spokenByVoice } from './voice-tags.js';

const subtitles = (
  header: boolean,
  spokenIn: (cues: ReadonlyArray<Cue>) => ReadonlyArray<Spoken>,
): LineParser<ImportedSpeech> => {
  const lines = new CueLines(header);
  return {
    take: (text, line) => lines.take(text, line),
    finish: (lastLine) => {
      const cues = lines.finish(lastLine);
      if (E.isLeft(cues)) return cues;
      const spoken = spokenIn(cues.right);
      const summary = { recording: null, rows: cues.right.length };
      return buildSpeech({ grain: 'utterance', spoken }, summary, new Tally(), new Tally());
    },
  };
};

const untagged = (cues: ReadonlyArray<Cue>): ReadonlyArray<Cue> =>
  cues.map((cue) => ({ ...cue, text: cue.text.map(plainText).filter((line) => line !== '') }));

/** WebVTT (W3C) with voice tags: `<v Ann Lee>text`. A cue without one has no speaker. */
export const webvttParser = (): LineParser<ImportedSpeech> => subtitles(true, (cues) => cues.flatMap(spokenByVoice));

/** WebVTT as Zoom writes it: `Ann Lee: text` in each cue; a cue without a name has no speaker. */
export const zoomVttParser = (): LineParser<ImportedSpeech> =>
  subtitles(true, (cues) => spokenByPrefix(untagged(cues), false));

/** SubRip with names before the text; by convention a cue without a name belongs to the previous speaker. */
export const srtParser = (): LineParser<ImportedSpeech> =>
  subtitles(false, (cues) => spokenByPrefix(untagged(cues), true));
