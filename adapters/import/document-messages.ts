import * as t from 'io-ts';
import { Finite } from '../../domain/kernel/json.js';

/* The protocol between the service and the process that reads documents: a line of JSON, then bytes. */

/** A request; the document follows as `length` bytes. */
export const DocumentTask = t.type({
  request: t.type({
    format: t.union([t.string, t.null]),
    recordings: t.readonlyArray(t.string),
    provider_supplied: t.union([t.boolean, t.null]),
    fps: t.union([t.number, t.null]),
  }),
  length: Finite,
});
export type DocumentTask = t.TypeOf<typeof DocumentTask>;

const Note = t.type({ count: Finite, what: t.string });
const Understanding = t.intersection([t.type({ notes: t.readonlyArray(Note) }), t.partial({ words: Finite })]);
const Length = t.union([Finite, t.null]);

/** A fault, or what was understood. Then the bodies follow, the video's first; `video` and `audio` are their lengths. */
export const DocumentAnswer = t.union([
  t.type({ fault: t.type({ path: t.string, message: t.string }) }),
  t.type({ understood: Understanding, video: Length, audio: Length }),
]);
export type DocumentAnswer = t.TypeOf<typeof DocumentAnswer>;
