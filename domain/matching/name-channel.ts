import { type InParts, runToEnd } from '../kernel/in-parts.js';
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

/** Names per part of the computation; long names take some time. */
const inOnePart = 50;

/** Owners by name. At most two with the same form of address are kept, since two already make the name ambiguous. */
function* byWords<Owner extends { readonly name: string | null }>(
  owners: readonly Owner[],
): InParts<ReadonlyMap<string, readonly Bearer<Owner>[]>> {
  const bearers = new Map<string, Bearer<Owner>[]>();
  for (const [index, owner] of owners.entries()) {
    if (index % inOnePart === 0) yield;
    const form = nameForm(owner.name);
    if (form === null) continue;
    const alike = bearers.get(form.words);
    if (alike === undefined) bearers.set(form.words, [[owner, form]]);
    else if (alike.filter(([, { addressedAs }]) => addressedAs === form.addressedAs).length < 2)
      alike.push([owner, form]);
  }
  return bearers;
}

const onlyOneNamed = <Owner>(bearers: readonly Bearer<Owner>[], name: NameForm): Bearer<Owner> | null => {
  const [first, ...others] = bearers.filter(([, form]) => isSameName(form, name));
  return first === undefined || others.length > 0 ? null : first;
};

/** Matches faces and speakers with the same real name in any spelling, unless others on either side have it too. */
export function* matchByNameInParts(
  faces: readonly NamedFace[],
  speakers: readonly NamedSpeaker[],
): InParts<readonly NameMatch[]> {
  const facesByWords = yield* byWords(faces);
  const speakersByWords = yield* byWords(speakers);
  const matches: NameMatch[] = [];
  let looked = 0;
  for (const [words, speakersAlike] of speakersByWords) {
    if (looked % inOnePart === 0) yield;
    looked += 1;
    const facesAlike = facesByWords.get(words) ?? [];
    for (const [{ face_id }, name] of facesAlike) {
      const bearer = onlyOneNamed(speakersAlike, name);
      if (bearer === null) continue;
      const [{ speaker_id }, own] = bearer;
      if (onlyOneNamed(facesAlike, own) !== null) matches.push({ face_id, speaker_id });
    }
  }
  return matches.sort((a, b) => a.speaker_id - b.speaker_id);
}

/** The same without yielding. */
export const matchByName = (...given: Parameters<typeof matchByNameInParts>): readonly NameMatch[] =>
  runToEnd(matchByNameInParts(...given));
