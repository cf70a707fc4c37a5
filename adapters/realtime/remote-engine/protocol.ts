import * as t from 'io-ts';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';

/** What an engine answers to an offer. */
export const EngineAnswer = t.type({ sdp: t.string });

const seconds = { start: t.number, end: t.number };
const nullableNumber = t.union([t.number, t.null]);

/** A line of the reports of a session. */
export const ReportLine: t.Type<EngineReport, unknown> = t.union([
  t.type({
    kind: t.literal('media'),
    state: t.keyof({ connected: null, disconnected: null, failed: null }),
  }),
  t.type({ kind: t.literal('voice_activity'), ...seconds, speaking: t.boolean, level_dbfs: t.number }),
  t.type({
    kind: t.literal('video_stats'),
    ...seconds,
    frames: t.number,
    width: nullableNumber,
    height: nullableNumber,
  }),
]);
