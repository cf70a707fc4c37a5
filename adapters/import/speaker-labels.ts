import { isRealName } from '../../domain/kernel/names.js';

/** Labels that tools generate for people whose names they do not know. */
const generatedLabels = [
  /^[\d\W_]*$/,
  /^(?:[a-z]|[a-z]{1,2}\d+|uu)$/i,
  /^(?:speaker|spk|spkr|person|participant|face|guest|unknown|channel|ch|track|user)[ _#-]*(?:\d+|[a-z])?$/i,
  /^(?:agent|customer|host|interviewer|interviewee|narrator|operator|caller|client|voice|all|both|man|woman|male|female)(?: ?#?\d+)?$/i,
];

/** The label as a person's name, with white space normalised; null for a label that a tool generated. */
export const personName = (label: string): string | null => {
  const name = label.replaceAll(/\s+/g, ' ').trim();
  return isRealName(name) && !generatedLabels.some((pattern) => pattern.test(name)) ? name : null;
};

const numbered = /^(\D*)(\d{1,9})$/;

/**
 * Speaker ids for the labels of a file, independent of their order. If all labels are one word with different numbers
 * (`spk00`, `SPEAKER_07`), the number is the id, so that speakers keep their ids when another part of the file is
 * imported. Otherwise the sorted labels get 0, 1, 2 ….
 */
export const speakerIds = (
  labels: ReadonlyArray<string>,
): ReadonlyArray<{ readonly speaker_id: number; readonly synthetic: false; readonly label: string }> => {
  const sorted = [...new Set(labels)].sort();
  const matches = sorted.map((label) => numbered.exec(label));
  const numbers = matches.map((match) => (match === null ? null : Number(match[2])));
  const oneWord = new Set(matches.map((match) => match?.[1])).size === 1;
  const keepsNumbers = oneWord && !numbers.includes(null) && new Set(numbers).size === numbers.length;
  return sorted
    .map((label, index) => ({
      speaker_id: (keepsNumbers ? numbers[index] : index) ?? index,
      synthetic: false as const,
      label,
    }))
    .sort((a, b) => a.speaker_id - b.speaker_id);
};
