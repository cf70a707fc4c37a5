/**
 * Whether suites run in their long form (`npm run test:long`): properties with many more cases, more kills, every version
 * of a server. The short form tries other cases each time, for seeds are random; a failure prints its own.
 */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/** How often something is tried, in each of the two forms. */
export const shortOrLong = (short: number, long: number): number => (isLongForm ? long : short);
