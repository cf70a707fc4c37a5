const placeholder =
  /^(?:(?:face|speaker|spk|person|participant)[\s_-]*\d*|unknown(?:[\s_-]*(?:face|speaker|person|\d+))?|n\/a)$/i;

/** Whether a name says nothing: null, empty or white space alone. */
export const isBlank = (name: string | null): boolean => name === null || name.trim() === '';

/** Whether a name was made up by a program, such as `Face 12`, `spk00`, `SPEAKER_01` or `unknown`; a blank one is, too. */
export const isPlaceholderName = (name: string): boolean => isBlank(name) || placeholder.test(name.trim());
