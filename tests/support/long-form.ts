/**
 * Whether suites run in their long form (`npm run test:long`): properties with many more cases, more kills, every version
 * of a server. The short form tries other cases each time, because seeds are random; a failure prints its seed.
 */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/** A number for the short form and another for the long form. */
export const shortOrLong = (short: number, long: number): number => (isLongForm ? long : short);
