import * as t from 'io-ts';

export const VoiceActivity = t.type({
  type: t.literal('result'),
  session_id: t.string,
  kind: t.literal('voice_activity'),
  start: t.number,
  end: t.number,
  speaking: t.boolean,
  level_dbfs: t.number,
});
export type VoiceActivity = t.TypeOf<typeof VoiceActivity>;

export const activityIn = (frames: readonly unknown[]): readonly VoiceActivity[] => frames.filter(VoiceActivity.is);

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The intervals in which the windows report speech. */
export const speechIn = (windows: readonly VoiceActivity[]): readonly Interval[] => {
  const out: { start: number; end: number }[] = [];
  for (const { start, end, speaking } of windows) {
    const last = out.at(-1);
    if (!speaking) continue;
    if (last !== undefined && Math.abs(last.end - start) < 0.01) last.end = end;
    else out.push({ start, end });
  }
  return out;
};
