import { type ReadingOptions, refuse } from './imported.js';

/** Frames a second; a document that counts frames cannot be read without it. */
export const frameRateOf = ({ fps }: ReadingOptions): number =>
  fps ??
  refuse(null, 'the format counts frames: say how many a second with fps (--fps on the command line, fps in a query)');
