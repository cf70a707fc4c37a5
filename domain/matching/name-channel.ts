import type { Link } from './assignment.js';
import { isSameName, type NameForm, nameForm } from './name-form.js';

interface Named {
  readonly name: string | null;
}

/**
 * The accuracy of a match by name. If both have the same real name and nobody else does, the only remaining risk is
 * that a name is wrong, so it is below 1.
 */
export const nameMatchAccuracy = 0.99;

/** Returns a search for the only one of some names that may be the same as a given one: its index, else null. */
const onlyBearerAmong = (forms: readonly (NameForm | null)[]): ((name: NameForm) => number | null) => {
  const bearers = new Map<string, { readonly index: number; readonly form: NameForm }[]>();
  forms.forEach((form, index) => {
    if (form === null) return;
    const alike = bearers.get(form.words) ?? [];
    bearers.set(form.words, alike);
    // Two with the same form of address already make the name ambiguous.
    if (alike.filter((bearer) => bearer.form.addressedAs === form.addressedAs).length < 2) alike.push({ index, form });
  });
  return (name) => {
    const [only, ...others] = (bearers.get(name.words) ?? []).filter(({ form }) => isSameName(form, name));
    return only === undefined || others.length > 0 ? null : only.index;
  };
};

/**
 * Matches speakers (rows) and faces (columns) with the same real name in any spelling, unless others on either side
 * have it too.
 */
export const matchByName = (faces: readonly Named[], speakers: readonly Named[]): readonly Link[] => {
  const spellings = new Set([...faces, ...speakers].map(({ name }) => name));
  const forms = new Map([...spellings].map((name) => [name, nameForm(name)]));
  const formOf = ({ name }: Named): NameForm | null => forms.get(name) ?? null;
  const [seen, heard] = [faces.map(formOf), speakers.map(formOf)];
  const [faceOf, speakerOf] = [onlyBearerAmong(seen), onlyBearerAmong(heard)];
  return heard.flatMap((form, row): readonly Link[] => {
    const column = form === null ? null : faceOf(form);
    const face = column === null ? null : (seen[column] ?? null);
    return column !== null && face !== null && speakerOf(face) === row ? [{ row, column }] : [];
  });
};
