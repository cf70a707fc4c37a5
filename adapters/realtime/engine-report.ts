import * as t from 'io-ts';
import type { EngineReport } from '../../application/ports/realtime-engine.js';
import { Finite } from '../../domain/kernel/json.js';

const seconds = { start: Finite, end: Finite };
const nullableNumber = t.union([Finite, t.null]);

/** A report of an engine, as a media thread posts it and as a remote engine sends it. */
export const EngineReportCodec: t.Type<EngineReport, unknown> = t.union([
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
