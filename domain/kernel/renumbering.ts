import * as t from 'io-ts';

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

/** The renumbering by these continuations: ids of before that none continues are discontinued. */
export const renumberingBy = <Id extends number>(
  continued: ReadonlyArray<Continuation<Id>>,
  earlier: Iterable<Id>,
): Renumbering<Id> => {
  const goOn = new Set(continued.map(({ from }) => from));
  return {
    renumbered: continued.filter(({ from, to }) => from !== to),
    discontinued: [...earlier].filter((id) => !goOn.has(id)),
  };
};
