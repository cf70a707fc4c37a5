import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { errorIn, valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Milliseconds } from '../times.js';

const Said = t.intersection([
  t.type({ text: t.string, start: Milliseconds, end: Milliseconds }),
  t.partial({ speaker: t.union([t.string, t.null]) }),
]);
const listOrNull = t.union([t.readonlyArray(Said), t.null]);
const AssemblyAi = t.intersection([
  t.type({ status: t.string }),
  t.partial({ id: t.string, words: listOrNull, utterances: listOrNull }),
]);

const spokenOf = (said: ReadonlyArray<t.TypeOf<typeof Said>>, path: string): ReadonlyArray<Spoken> =>
  said.map(({ speaker = null, start, end, text }, index) => ({
    speaker,
    start,
    end,
    text,
    place: `${path}[${index}]`,
  }));

/** AssemblyAI's transcript: utterances if speaker labels were requested, otherwise words; times in milliseconds. */
export const assemblyAi = jsonFormat(
  (json) =>
    typeof valueAt(json, 'status') === 'string' &&
    (valueAt(json, 'words') !== undefined || valueAt(json, 'utterances') !== undefined),
  AssemblyAi,
  ({ status, id = null, words = null, utterances = null }) => {
    if (status !== 'completed') return errorIn('status', `is ${JSON.stringify(status)}, not "completed"`);
    const spoken = utterances === null ? spokenOf(words ?? [], 'words') : spokenOf(utterances, 'utterances');
    const grain = utterances === null ? 'word' : 'utterance';
    return E.right({ recording: id, rows: spoken.length, speech: { grain, spoken } });
  },
);
