import type { Interval } from '../kernel/interval.js';
import { isPersonName, tidyName } from '../grounding/person-name.js';
import { isRealName } from '../kernel/names.js';
import type { Link } from './assignment.js';
import { isSameName, type NameForm, nameForm } from './name-form.js';
import { forEachOverlap, sharedSeconds, merged } from './stretches.js';

export interface CaptionedFace {
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly captions: readonly { readonly text: string }[];
}

export interface HeardSpeaker {
  readonly name: string | null;
  readonly turns: readonly Interval[];
}

/** A face, by index, that a caption names as a speaker, by index, and the caption's words. */
export interface CaptionMatch extends Link {
  readonly caption: string;
}

/** Below that of equal names: the letters may be misread, and the caption may stand beside somebody else. */
export const captionMatchAccuracy = 0.95;

/** Where a caption goes on to something else: "Ann Lee | Head of Research". */
const breaks = /[\n\r|•·/;:()[\]–—]+|\s-+\s/u;

/** A name of two words at least; scripts without spaces write both in one. */
const isFullName = ({ words }: NameForm): boolean =>
  words.includes(' ') || /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]{2,}$/u.test(words);

/** What may be a name in a caption: each of its lines, and what stands before a line's first comma. */
const partsOf = (text: string): readonly string[] =>
  text.split(breaks).flatMap((line) => [line, line.split(',')[0] ?? '']);

/** The names that a caption may consist of. */
const namesIn = (text: string): readonly NameForm[] => partsOf(text).flatMap((part) => nameForm(part) ?? []);

/** Two to four words that begin with capitals, none of which is a job or a company: what a caption calls a person. */
const looksLikePerson = (part: string): boolean =>
  /^\s*\p{Lu}[\p{L}\p{M}.'’-]*(?:\s+\p{Lu}[\p{L}\p{M}.'’-]*){1,3}\s*$/u.test(part) && isPersonName(tidyName(part));

/**
 * The name of somebody else that a face's captions give, when its speaker has a name and no caption gives that one; null
 * where there is none.
 */
export const otherNameIn = (captions: CaptionedFace['captions'], speakerName: string | null): string | null => {
  const own = nameForm(speakerName);
  if (own === null) return null;
  const texts = [...new Set(captions.map(({ text }) => text))].sort();
  if (texts.some((text) => namesIn(text).some((form) => isSameName(form, own)))) return null;
  return texts.flatMap(partsOf).find(looksLikePerson)?.trim() ?? null;
};

/** Whether the speaker speaks and the face is seen, but for a second at most at one time. */
const isContradicted = ({ turns }: HeardSpeaker, { tracks }: CaptionedFace): boolean => {
  let together = 0;
  const [heard, seen] = [merged(turns), merged(tracks)];
  forEachOverlap(heard, seen, (turn, track) => (together += sharedSeconds(heard, turn, seen, track)));
  return heard.starts.length > 0 && seen.starts.length > 0 && together < 1;
};

/** Whoever a nameless face is captioned as, each caption's text once. */
const claimsOf = (faces: readonly CaptionedFace[], forms: readonly (NameForm | null)[]): readonly CaptionMatch[] =>
  faces.flatMap(({ name, captions }, column) =>
    isRealName(name)
      ? []
      : [...new Set(captions.map(({ text }) => text))].sort().flatMap((caption) => {
          const names = namesIn(caption);
          return forms.flatMap((form, row) =>
            form !== null && names.some((other) => isSameName(other, form)) ? [{ row, column, caption }] : [],
          );
        }),
  );

/**
 * The nameless faces whose captions consist of one speaker's full name, when no other face is captioned or named so,
 * no other speaker is, and the speaker is not only heard while the face is away. A caption that merely mentions
 * somebody, as in "Interview with Ann Lee", names nobody.
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
