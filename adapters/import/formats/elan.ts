import { numberAt, secondsAt } from '../fields.js';
import { type XmlElement, type XmlFormat, type Spoken, type Tally } from '../format.js';
import { elementsIn, textIn } from '../xml.js';

/** The times of the slots that have one, in seconds. */
const slotsOf = (root: XmlElement): ReadonlyMap<string, number> =>
  new Map(
    elementsIn(root, 'TIME_SLOT').flatMap(({ attributes }): [string, number][] => {
      const { TIME_SLOT_ID: id = '', TIME_VALUE: value } = attributes;
      if (value === undefined) return [];
      const place = `TIME_SLOT ${id}`;
      return [[id, secondsAt(place, 'TIME_VALUE', numberAt(place, 'TIME_VALUE', value) / 1000)]];
    }),
  );

/** The annotations of a tier whose both ends have a time. */
const spokenIn = (tier: XmlElement, slots: ReadonlyMap<string, number>, dropped: Tally): ReadonlyArray<Spoken> => {
  const { TIER_ID: id = '', PARTICIPANT: participant = '' } = tier.attributes;
  return elementsIn(tier, 'ALIGNABLE_ANNOTATION').flatMap((annotation) => {
    const { ANNOTATION_ID: place = '', TIME_SLOT_REF1: from = '', TIME_SLOT_REF2: to = '' } = annotation.attributes;
    const [start, end] = [slots.get(from), slots.get(to)];
    if (start === undefined || end === undefined) {
      dropped.add('annotation between times: its time is not told');
      return [];
    }
    return [{ speaker: participant.trim() || id, start, end, text: textIn(annotation), place: `annotation ${place}` }];
  });
};

/**
 * ELAN's annotation format (EAF 3.0 of the Max Planck Institute for Psycholinguistics): a tier is a speaker, by its
 * participant or its id; times in milliseconds. Tiers that refer to other tiers, such as translations, are left out.
 */
export const elan: XmlFormat = {
  name: 'elan',
  reads: 'xml',
  recognises: ({ name }) => name === 'ANNOTATION_DOCUMENT',
  read: (root, { dropped }) => {
    const slots = slotsOf(root);
    const tiers = elementsIn(root, 'TIER');
    const main = tiers.filter(({ attributes }) => attributes['PARENT_REF'] === undefined);
    dropped.add('tier that refers to another one, such as a translation', tiers.length - main.length);
    const utterances = main.flatMap((tier) => spokenIn(tier, slots, dropped));
    return { rows: utterances.length, utterances, missing: 'no annotation with times' };
  },
};
