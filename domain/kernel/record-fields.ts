import * as t from 'io-ts';

/** Fields of a face, a speaker, a tag, or of the record itself. The id of a tag is its key. */
export const RecordFields = t.type(
  {
    record: t.keyof({ face: null, speaker: null, tag: null, video: null, audio: null }),
    id: t.union([t.number, t.string]),
    fields: t.readonlyArray(t.string),
  },
  'RecordFields',
);
export type RecordFields = t.TypeOf<typeof RecordFields>;

/** As a list: empty where there is no field to name. */
export const fieldsOf = (
  record: RecordFields['record'],
  id: number | string,
  fields: ReadonlyArray<string>,
): ReadonlyArray<RecordFields> => (fields.length === 0 ? [] : [{ record, id, fields }]);
