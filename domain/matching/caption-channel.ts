import type { Interval } from '../kernel/interval.js';
import { isPersonName, tidyName } from '../grounding/person-name.js';
import { isRealName } from '../kernel/names.js';
import type { Link } from './assignment.js';
import { isSameName, type NameForm, nameForm } from './name-form.js';
import { forEachOverlap, merged, sharedSeconds } from './intervals.js';

export interface CaptionedFace {
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly captions: readonly { readonly text: string }[];
}

export interface HeardSpeaker {
  readonly name: string | null;
  readonly turns: readonly Interval[];
}

/** A face (column) that a caption names as a speaker (row), with the caption's text. */
export interface CaptionMatch extends Link {
  readonly caption: string;
}

/** Lower than for equal names: the text may be misread, and the caption may belong to another person. */
export const captionMatchAccuracy = 0.95;

/** Separators between a name and other text: "Ann Lee | Head of Research". */
const breaks = /[\n\r|•·/;:()[\]–—]+|\s-+\s/u;

/** A name of at least two words; scripts without spaces write both as one. */
const isFullName = ({ words }: NameForm): boolean =>
  words.includes(' ') || /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]{2,}$/u.test(words);

/** Parts of a caption that may be names: each line, and its text before the first comma. */
const partsOf = (text: string): readonly string[] =>
  text.split(breaks).flatMap((line) => [line, line.split(',')[0] ?? '']);

/** The different texts of captions. */
const textsOf = (captions: CaptionedFace['captions']): readonly string[] =>
  [...new Set(captions.map(({ text }) => text))].sort();

/** The names in a caption. */
const namesIn = (text: string): readonly NameForm[] => partsOf(text).flatMap((part) => nameForm(part) ?? []);

/** Whether a text looks like a person's name: two to four capitalized words, none of them a job or company. */
const looksLikePerson = (part: string): boolean =>
  /^\s*\p{Lu}[\p{L}\p{M}.'’-]*(?:\s+\p{Lu}[\p{L}\p{M}.'’-]*){1,3}\s*$/u.test(part) && isPersonName(tidyName(part));

/** Another person's name in a face's captions, if the speaker has a name that no caption contains; null otherwise. */
export const otherNameIn = (captions: CaptionedFace['captions'], speakerName: string | null): string | null => {
  const own = nameForm(speakerName);
  if (own === null) return null;
  const texts = textsOf(captions);
  if (texts.some((text) => namesIn(text).some((form) => isSameName(form, own)))) return null;
  return texts.flatMap(partsOf).find(looksLikePerson)?.trim() ?? null;
};

/** Whether the speaker is heard and the face visible for less than a second at the same time, although both occur. */
const isContradicted = ({ turns }: HeardSpeaker, { tracks }: CaptionedFace): boolean => {
  let together = 0;
  const [heard, seen] = [merged(turns), merged(tracks)];
  forEachOverlap(heard, seen, (turn, track) => (together += sharedSeconds(heard, turn, seen, track)));
  return heard.starts.length > 0 && seen.starts.length > 0 && together < 1;
};

/** The speakers that captions name for faces without a name; each caption text once. */
const claimsOf = (faces: readonly CaptionedFace[], forms: readonly (NameForm | null)[]): readonly CaptionMatch[] =>
  faces.flatMap(({ name, captions }, column) =>
    isRealName(name)
      ? []
      : textsOf(captions).flatMap((caption) => {
          const names = namesIn(caption);
          return forms.flatMap((form, row) =>
            form !== null && names.some((other) => isSameName(other, form)) ? [{ row, column, caption }] : [],
          );
        }),
  );

/**
 * Matches faces without a name by captions that consist of a speaker's full name. No other face or speaker may have
 * that name, and speaker and face must occur together. A caption that only mentions a person, such as "Interview with
 * Ann Lee", does not count.
 */
export const matchByCaption = (
  faces: readonly CaptionedFace[],
  speakers: readonly HeardSpeaker[],
): readonly CaptionMatch[] => {
  const forms = speakers.map(({ name }) => nameForm(name));
  if (forms.every((form) => form === null)) return [];
  const bearers = [...faces, ...speakers].flatMap(({ name }) => nameForm(name) ?? []);
  const claims = claimsOf(faces, forms);
  return forms.flatMap((form, row): readonly CaptionMatch[] => {
    const [claim, speaker] = [claims.find((one) => one.row === row), speakers[row]];
    const face = faces[claim?.column ?? -1];
    if (form === null || claim === undefined || speaker === undefined || face === undefined) return [];
    const isUnique =
      claims.every((other) => (other.row === row) === (other.column === claim.column)) &&
      bearers.filter((other) => isSameName(other, form)).length === 1;
    return isUnique && isFullName(form) && !isContradicted(speaker, face) ? [claim] : [];
  });
};
