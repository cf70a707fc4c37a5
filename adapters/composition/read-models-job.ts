import * as t from 'io-ts';

const strings = t.readonlyArray(t.string);

/** To check the file of the read models, and how it has to be laid out. */
export const ReadModelsJob = t.type({
  what: t.literal('read-models'),
  file: t.string,
  layout: t.type({ shape: t.string, tables: t.readonlyArray(t.type({ name: t.string, columns: strings })) }),
});
export type ReadModelsJob = t.TypeOf<typeof ReadModelsJob>;
