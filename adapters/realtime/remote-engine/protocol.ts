import * as t from 'io-ts';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { Finite } from '../../../domain/kernel/finite.js';

/** What an engine answers to an offer. */
export const EngineAnswer = t.type({ sdp: t.string });

const seconds = { start: Finite, end: Finite };
const nullableNumber = t.union([Finite, t.null]);

/** A line of the reports of a session. */
export const ReportLine: t.Type<EngineReport, unknown> = t.union([
  t.type({
    kind: t.literal('media'),
    state: t.keyof({ connected: null, disconnected: null, failed: null }),
  }),
  t.type({ kind: t.literal('voice_activity'), ...seconds, speaking: t.boolean, level_dbfs: Finite }),
  t.type({
    kind: t.literal('video_stats'),
    ...seconds,
    frames: Finite,
    width: nullableNumber,
    height: nullableNumber,
  }),
]);
