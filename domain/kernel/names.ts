import * as t from 'io-ts';

/** Empty, null or white space only: no name at all. */
export const isBlank = (name: string | null | undefined): boolean =>
  name === null || name === undefined || name.trim() === '';

/** The label that a face without a name is given (specification, section 2.1). */
export const generatedFaceLabel = (face_id: number): string => `Face ${face_id}`;

const generatedLabels = [
  /^face[ _-]?#?\d+$/i,
  /^(speaker|spk|spkr|person|participant)[ _-]?#?(\d+|[a-z])$/i,
  /^(unknown|unnamed)([ _-]?(speaker|face|person))?([ _-]?#?\d+)?$/i,
];

/** Whether a name is a label that some tool generated, such as `Face 12`, `spk00` or `SPEAKER_01`. */
export const isPlaceholderName = (name: string): boolean => generatedLabels.some((label) => label.test(name.trim()));

/**
 * Who gave a name: a person, or an analysis. `speaker`: a face has it from the speaker that it was matched to, whom the
 * analysis of the audio named so.
 */
export const NamedBy = t.keyof({ person: null, speaker: null, analysis: null }, 'NamedBy');
export type NamedBy = t.TypeOf<typeof NamedBy>;

/** Whose name it was before a change, and whose it is after it. */
export const WhoseName = t.type({ before: NamedBy, after: NamedBy }, 'WhoseName');
export type WhoseName = t.TypeOf<typeof WhoseName>;

/** A name, and who gave it. */
export interface GivenName {
  readonly name: string;
  readonly named_by: NamedBy;
}
/** A name that may be absent, and who gave it. */
export interface Naming {
  readonly name: string | null;
  readonly named_by: NamedBy;
}

const faceLabel = /^Face \d+$/;

/**
 * Whether a name says who somebody is: neither blank nor a placeholder. A placeholder is a label that an analysis
 * generated, and `Face {id}` whoever gave it; any other name that a person gave is a real one, whatever it says.
 */
export const isRealName = (name: string | null, named_by: NamedBy = 'analysis'): name is string =>
  name !== null && !isBlank(name) && !(named_by === 'person' ? faceLabel.test(name.trim()) : isPlaceholderName(name));

const longestName = 500;

/** A text where a name is expected, blank ones included: well-formed Unicode, at most 500 characters. */
export const NameText = t.refinement(t.string, (s) => s.length <= longestName && s.isWellFormed(), 'NameText');

interface PersonNameBrand {
  readonly PersonName: unique symbol;
}

/** A name that somebody may be given: not blank, well-formed Unicode, at most 500 characters. */
export const PersonName = t.brand(
  t.string,
  (s): s is t.Branded<string, PersonNameBrand> => NameText.is(s) && !isBlank(s),
  'PersonName',
);
export type PersonName = t.TypeOf<typeof PersonName>;
