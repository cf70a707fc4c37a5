import type { NamedBy } from '../kernel/names.js';
import type { FaceChange } from './face.js';

/** A name that a person gave the face, or the video's own analysis: not one that came from a speaker. */
export interface OwnName {
  readonly name: string | null;
  readonly named_by: NamedBy;
}

/** The newest last. */
export type OwnNames = ReadonlyArray<OwnName>;

/** Those before are kept for reverts. */
const most = 8;

export const withOwnName = (own: OwnNames, { name, named_by }: OwnName): OwnNames => {
  const last = own.at(-1);
  return last?.name === name && last.named_by === named_by ? own : [...own, { name, named_by }].slice(-most);
};

/** The own names after a change was taken back: a name that the face had returns, one that was given meanwhile goes. */
export const withNameBack = (own: OwnNames, { before, after, named_by }: FaceChange): OwnNames => {
  if (before.name === after.name) return own;
  const earlier = own.findLastIndex(({ name }) => name === after.name);
  if (earlier !== -1) return own.slice(0, earlier + 1);
  const without = own.at(-1)?.name === before.name ? own.slice(0, -1) : own;
  const isPersons = named_by?.after === 'person' && after.speaker_id === null;
  return isPersons ? withOwnName(without, { name: after.name, named_by: 'person' }) : without;
};
