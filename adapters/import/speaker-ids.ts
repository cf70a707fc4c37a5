const numbered = /^(\D*)(\d{1,9})$/;

/**
 * Ids for the labels of a file, whatever their order. Where all labels are one word with different numbers
 * (`spk00`, `SPEAKER_07`), the number is the id, so that an id still says which speaker of the file it is, and a
 * speaker keeps it when another part of the file is imported. Otherwise the sorted labels get 0, 1, 2 ….
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
