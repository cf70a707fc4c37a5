import { refuse } from './imported.js';
import type { Tally } from './tally.js';

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => JSON.stringify(id)).join(' and ');

/** Selects the rows of one recording: the chosen one, or the only one in the file. */
export interface RecordingChoice {
  /** Whether a row of this recording is imported; refuses the file if it has a second one that nobody chose from. */
  readonly takes: (recording: string, line: number) => boolean;
  /** Counts the rows of other recordings; refuses the file if it has none of the wanted one. */
  readonly close: (dropped: Tally) => void;
  readonly chosen: () => string | null;
}

/** Selects among these recordings, of which a file may have one. */
export const chooseRecording = (wanted: ReadonlyArray<string> = []): RecordingChoice => {
  let accepted: string | null = null;
  let others = 0;
  return {
    takes: (recording, line) => {
      if (recording === accepted) return true;
      if (wanted.length > 0 && !wanted.includes(recording)) {
        others += 1;
        return false;
      }
      if (accepted !== null)
        refuse(
          line,
          `the file contains more than one recording (${quoted([accepted, recording])}); choose one with --recording`,
        );
      accepted = recording;
      return true;
    },
    close: (dropped) => {
      dropped.add('row of another recording', others);
      if (wanted.length > 0 && accepted === null && others > 0)
        refuse(null, `the file has no rows of the recording ${quoted(wanted)}`);
    },
    chosen: () => accepted,
  };
};
