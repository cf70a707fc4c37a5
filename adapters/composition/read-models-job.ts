import * as t from 'io-ts';

const strings = t.readonlyArray(t.string);

/** The job of checking the read models' file, with the schema it must have. */
export const ReadModelsJob = t.type({
  what: t.literal('read-models'),
  file: t.string,
  layout: t.type({ shape: t.string, tables: t.readonlyArray(t.type({ name: t.string, columns: strings })) }),
});
export type ReadModelsJob = t.TypeOf<typeof ReadModelsJob>;
