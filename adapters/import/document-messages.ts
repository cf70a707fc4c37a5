import * as t from 'io-ts';
import { Finite } from '../../domain/kernel/json.js';

/* What the service and the process that reads documents say to each other: a line of JSON each, and then bytes. */

/** A document follows, in so many bytes. */
export const DocumentTask = t.type({
  request: t.type({
    format: t.union([t.string, t.null]),
    recordings: t.readonlyArray(t.string),
    provider_supplied: t.union([t.boolean, t.null]),
  }),
  length: Finite,
});
export type DocumentTask = t.TypeOf<typeof DocumentTask>;

const Length = t.union([Finite, t.null]);

/** A fault, or what was understood: the bodies follow, first the video's, in so many bytes. */
export const DocumentAnswer = t.union([
  t.type({ fault: t.type({ path: t.string, message: t.string }) }),
  t.type({ understood: t.object, video: Length, audio: Length }),
]);
export type DocumentAnswer = t.TypeOf<typeof DocumentAnswer>;
