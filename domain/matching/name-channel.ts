import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { isSameName, type NameForm, nameForm } from './name-form.js';

export interface NamedFace {
  readonly face_id: FaceId;
  readonly name: string | null;
}

export interface NamedSpeaker {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
}

export interface NameMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/**
 * The accuracy of a match by name. If both have the same real name and nobody else does, the only remaining risk is
 * that a name is wrong, so it is below 1.
 */
export const nameMatchAccuracy = 0.99;

type Bearer<Owner> = readonly [owner: Owner, form: NameForm];

/** Owners by name. At most two with the same form of address are kept, since two already make the name ambiguous. */
const byWords = <Owner extends { readonly name: string | null }>(
  owners: readonly Owner[],
): ReadonlyMap<string, readonly Bearer<Owner>[]> => {
  const bearers = new Map<string, Bearer<Owner>[]>();
  for (const owner of owners) {
    const form = nameForm(owner.name);
    if (form === null) continue;
    const alike = bearers.get(form.words);
    if (alike === undefined) bearers.set(form.words, [[owner, form]]);
    else if (alike.filter(([, { addressedAs }]) => addressedAs === form.addressedAs).length < 2)
      alike.push([owner, form]);
  }
  return bearers;
};

const onlyOneNamed = <Owner>(bearers: readonly Bearer<Owner>[], name: NameForm): Bearer<Owner> | null => {
  const [first, ...others] = bearers.filter(([, form]) => isSameName(form, name));
  return first === undefined || others.length > 0 ? null : first;
};

/** Matches faces and speakers with the same real name in any spelling, unless others on either side have it too. */
export const matchByName = (faces: readonly NamedFace[], speakers: readonly NamedSpeaker[]): readonly NameMatch[] => {
  const facesByWords = byWords(faces);
  const speakersByWords = byWords(speakers);
  const matches: NameMatch[] = [];
  for (const [words, speakersAlike] of speakersByWords) {
    const facesAlike = facesByWords.get(words) ?? [];
    for (const [{ face_id }, name] of facesAlike) {
      const bearer = onlyOneNamed(speakersAlike, name);
      if (bearer === null) continue;
      const [{ speaker_id }, own] = bearer;
      if (onlyOneNamed(facesAlike, own) !== null) matches.push({ face_id, speaker_id });
    }
  }
  return matches.sort((a, b) => a.speaker_id - b.speaker_id);
};
