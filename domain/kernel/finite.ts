import * as t from 'io-ts';

/** A number that JSON can write: `t.number` takes NaN and the infinities too, which JSON makes null. */
export const Finite = t.refinement(t.number, Number.isFinite, 'Finite');
