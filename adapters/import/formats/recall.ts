import * as t from 'io-ts';
import { Seconds, has, jsonFormat, object } from '../json.js';
import { withEnds } from '../format.js';

const Time = t.type({ relative: Seconds });
const Word = object({ text: t.string, start_timestamp: Time }, { end_timestamp: Time });
const Participant = t.partial({ id: t.union([t.number, t.string]), name: t.string });
const Part = object({ words: t.readonlyArray(Word) }, { participant: Participant });

/** Who rejoins a meeting has another id with the same name. */
const labelOf = ({ id, name = '' }: t.TypeOf<typeof Participant>): string | null => {
  if (name.trim() !== '') return name;
  return id === undefined ? null : `participant ${id}`;
};

/** Recall.ai's transcript of a meeting: the words of participants, in seconds (docs.recall.ai, "Download Schemas"). */
export const recall = jsonFormat({
  name: 'recall',
  recognises: (json) => has(json, '[].words[].start_timestamp.relative'),
  codec: t.readonlyArray(Part),
  read: (parts) => {
    const words = parts.flatMap(({ participant = {}, words: said }, index) => {
      const [speaker, place] = [labelOf(participant), `[${index}]`];
      return said.map(({ text, start_timestamp, end_timestamp }) => {
        return { speaker, start: start_timestamp.relative, end: end_timestamp?.relative, text, place };
      });
    });
    return { rows: parts.length, words: withEnds(words), missing: 'no words' };
  },
});
