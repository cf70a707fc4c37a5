import { type InParts, whole } from '../kernel/in-parts.js';
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
 * The accuracy of a match by name. Nothing is left to estimate once both sides carry the same real name and nobody
 * else does; what remains is that one of the names was given wrongly, so that it is less than a certainty.
 */
export const nameMatchAccuracy = 0.99;

type Bearer<Owner> = readonly [owner: Owner, form: NameForm];

/** So many names are looked at in one part: long ones take a while each. */
const inOnePart = 50;

/** Those who carry each name: of those who are addressed alike no more than two, for already these have it in common. */
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

/**
 * The faces and speakers that carry the same real name, however it is written, as long as nobody else on either side
 * does.
 */
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

/** The same at once. */
export const matchByName = (...given: Parameters<typeof matchByNameInParts>): readonly NameMatch[] =>
  whole(matchByNameInParts(...given));
