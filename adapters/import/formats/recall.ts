import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, withEnds } from '../format.js';

const Time = t.type({ relative: Seconds });
const Word = t.intersection([t.type({ text: t.string, start_timestamp: Time }), t.partial({ end_timestamp: Time })]);
const Part = t.intersection([
  t.type({ words: t.readonlyArray(Word) }),
  t.partial({ participant: t.partial({ id: t.union([t.number, t.string]), name: t.string }) }),
]);
type Participant = t.TypeOf<typeof Part>['participant'];
const Recall = t.readonlyArray(Part);

/** Who rejoins a meeting has another id with the same name. */
const labelOf = (participant: Participant): string | null => {
  const { id, name = '' } = participant ?? {};
  if (name.trim() !== '') return name;
  return id === undefined ? null : `participant ${id}`;
};

/** Recall.ai's transcript of a meeting: the words of participants, in seconds (docs.recall.ai, "Download Schemas"). */
export const recall: JsonFormat = {
  name: 'recall',
  reads: 'json',
  recognises: (json) =>
    listAt(json).some((part) =>
      listAt(part, 'words').some((word) => valueAt(word, 'start_timestamp', 'relative') !== undefined),
    ),
  read: (json) => {
    const parts = decodeDocument(Recall, json);
    const words = parts.flatMap(({ participant, words: said }, index) => {
      const [speaker, place] = [labelOf(participant), `[${index}]`];
      return said.map(({ text, start_timestamp, end_timestamp }) => {
        return { speaker, start: start_timestamp.relative, end: end_timestamp?.relative, text, place };
      });
    });
    return { rows: parts.length, speech: { grain: 'word', spoken: withEnds(words), missing: 'no words' } };
  },
};
