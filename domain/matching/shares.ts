/** Seconds that an owner, a face or a speaker by index, shares with something. */
export interface Share {
  readonly owner: number;
  readonly seconds: number;
}

/** Shares that are still being summed up, one per owner. Few owners share one turn or track: a list is enough. */
export type OpenShares = { owner: number; seconds: number }[];

export const newShares = (): OpenShares => [];

export const addShare = (shares: OpenShares, owner: number, seconds: number): void => {
  const known = shares.find((share) => share.owner === owner);
  if (known === undefined) shares.push({ owner, seconds });
  else known.seconds += seconds;
};
