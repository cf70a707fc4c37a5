import * as t from 'io-ts';
import { Finite } from '../../../domain/kernel/finite.js';

const named = { session: t.string };
const numbered = { request: Finite };

/** What the service asks of a media thread. */
export const Ask = t.union([
  t.type({ ask: t.literal('negotiate'), sdp: t.string, ...named, ...numbered }),
  t.type({
    ask: t.literal('candidate'),
    candidate: t.string,
    mid: t.union([t.string, t.null]),
    line: t.union([Finite, t.null]),
    ...named,
    ...numbered,
  }),
  t.type({ ask: t.literal('close'), ...named, ...numbered }),
  t.type({ ask: t.literal('ping'), ...numbered }),
  t.type({ ask: t.literal('stop'), ...numbered }),
]);
export type Ask = t.TypeOf<typeof Ask>;

const Report = t.union([
  t.type({
    kind: t.literal('media'),
    state: t.union([t.literal('connected'), t.literal('disconnected'), t.literal('failed')]),
  }),
  t.type({
    kind: t.literal('voice_activity'),
    start: Finite,
    end: Finite,
    speaking: t.boolean,
    level_dbfs: Finite,
  }),
  t.type({
    kind: t.literal('video_stats'),
    start: Finite,
    end: Finite,
    frames: Finite,
    width: t.union([Finite, t.null]),
    height: t.union([Finite, t.null]),
  }),
]);

/** What a media thread tells the service. */
export const Tell = t.union([
  t.type({ tell: t.literal('done'), sdp: t.string, ...numbered }),
  t.type({ tell: t.literal('refused'), reason: t.string, ...numbered }),
  /** There is no answer. */
  t.type({ tell: t.literal('failed'), reason: t.string, ...numbered }),
  /** In the order in which they came to be. */
  t.type({ tell: t.literal('reports'), reports: t.array(t.type({ session: t.string, report: Report })) }),
  t.type({ tell: t.literal('fault'), reason: t.string }),
]);
export type Tell = t.TypeOf<typeof Tell>;
