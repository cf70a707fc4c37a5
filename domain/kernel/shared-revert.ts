/** A revert of which the other record carries out a part. */
export interface SharedRevert {
  readonly change_id: string;
  /** The revision at which the other record was looked at. */
  readonly other_revision: number;
}

/** So many are remembered: two requests that undo the same change at once are close to each other. */
const remembered = 16;

export const withSharedRevert = (
  reverts: ReadonlyArray<SharedRevert>,
  revert: SharedRevert,
): ReadonlyArray<SharedRevert> => [...reverts.slice(1 - remembered), revert];

/**
 * Whether the part of the other record is under way already: another revert of the same change looked at that record
 * when it was no younger than it was now found to be.
 */
export const isUnderWay = (reverts: ReadonlyArray<SharedRevert>, change_id: string, other_revision: number): boolean =>
  reverts.some((one) => one.change_id === change_id && one.other_revision >= other_revision);
