import * as t from 'io-ts';
import type { ProcessingStatus } from './media.js';

/** An id of the earlier analysis, the id of the new one that continues it, and the seconds that both cover. */
export interface Continuation<Id extends number = number> {
  readonly from: Id;
  readonly to: Id;
  readonly seconds: number;
}

/**
 * How an analysis numbers differently: the ids that continue another one, and the earlier ids that nothing continues. An
 * id in neither list means what it meant before.
 */
export interface Renumbering<Id extends number = number> {
  readonly renumbered: ReadonlyArray<Continuation<Id>>;
  readonly discontinued: ReadonlyArray<Id>;
}

/**
 * Which ids of an analysis continue which earlier ones, found by comparing it with a state of the record (`comparedWith`
 * names that state).
 */
export interface Alignment<Id extends number = number> {
  readonly comparedWith: string;
  readonly continued: ReadonlyArray<Continuation<Id>>;
}

/** The fields of a renumbering in an event. */
export const renumberingOf = <C extends t.Mixed>(id: C) => ({
  renumbered: t.readonlyArray(t.type({ from: id, to: id, seconds: t.number })),
  discontinued: t.readonlyArray(id),
});

/** A renumbering and the revision of the event in its record's stream. */
export type RenumberedAt<Id extends number> = Renumbering<Id> & { readonly revision: number };

export const isRenumbering = ({ renumbered, discontinued }: Renumbering): boolean =>
  renumbered.length + discontinued.length > 0;

/** The renumberings after a revision of the record. */
export const renumberedAfter = <Of extends { readonly revision: number }>(
  renumberings: ReadonlyArray<Of>,
  revision: number,
): ReadonlyArray<Of> => renumberings.filter((one) => one.revision > revision);

/** Finds the present ids of earlier ones: null for a discontinued one. */
export const followIds = <Id extends number>(
  renumberings: ReadonlyArray<Renumbering<Id>>,
): ((earlier: Id) => Id | null) => {
  const steps = renumberings.map(({ renumbered, discontinued }) => ({
    next: new Map(renumbered.map(({ from, to }) => [from, to])),
    gone: new Set(discontinued),
  }));
  return (earlier) =>
    steps.reduce<Id | null>(
      (id, { next, gone }) => (id === null || gone.has(id) ? null : (next.get(id) ?? id)),
      earlier,
    );
};

/** Whether an id means somebody else since one of the renumberings, or nobody. */
export const isTouched = <Id extends number>(
  renumberings: ReadonlyArray<Renumbering<Id>>,
): ((id: number) => boolean) => {
  const touched = new Set<number>(
    renumberings.flatMap(({ renumbered, discontinued }) => [
      ...renumbered.flatMap(({ from, to }) => [from, to]),
      ...discontinued,
    ]),
  );
  return (id) => touched.has(id);
};

/**
 * The earlier id that each id of an analysis continues; undefined for one that is new. `known`: whether an id was there
 * before.
 */
export const continuedBy = <Id extends number>(
  { renumbered, discontinued }: Renumbering<Id>,
  known: { readonly has: (id: Id) => boolean },
): ((id: Id) => Id | undefined) => {
  const before = new Map(renumbered.map(({ from, to }) => [to, from]));
  const gone = new Set<Id>([...renumbered.map(({ from }) => from), ...discontinued]);
  return (id) => before.get(id) ?? (known.has(id) && !gone.has(id) ? id : undefined);
};

/** The face or speaker that each id of an analysis continues; undefined for one that is new. */
export const continuing = <Id extends number, Of>(
  renumbering: Renumbering<Id>,
  earlier: ReadonlyMap<Id, Of>,
): ((id: Id) => Of | undefined) => {
  const idOf = continuedBy(renumbering, earlier);
  return (id) => {
    const from = idOf(id);
    return from === undefined ? undefined : earlier.get(from);
  };
};

/**
 * How the ids of a completed analysis continue those of before: as aligned, else each number stays as it is. Ids that none
 * continues are discontinued. An incomplete analysis renumbers nobody.
 */
export const renumberingIn = <Id extends number>(
  { status, alignment }: { readonly status: ProcessingStatus; readonly alignment: Alignment<Id> | null },
  ids: ReadonlyArray<Id>,
  earlier: ReadonlyMap<Id, unknown>,
): Renumbering<Id> => {
  if (status !== 'completed') return { renumbered: [], discontinued: [] };
  const continued = alignment?.continued.filter(({ from, to }) => from !== to) ?? [];
  const goOn = new Set(alignment?.continued.map(({ from }) => from) ?? ids);
  return { renumbered: continued, discontinued: [...earlier.keys()].filter((id) => !goOn.has(id)) };
};
