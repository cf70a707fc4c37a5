import { type RtpMedia, unwrap } from '../rtp.js';

/** Decoded samples per millisecond. RTP counts Opus at 48 kHz, three times as many (RFC 7587). */
export const samplesPerMs = 16;
const ticksPerMs = 48;

/** If a packet comes this much later than its timestamp says, delivery stalled, or the sender and its counter paused. */
const minStallMs = 500;
/** What was held up comes faster than it was spoken. A sender that does not catch up at all for this long had paused. */
const decisionMs = 2_000;
const minProgressMs = 250;
/** A timestamp further ahead of its arrival is one of a new counter. Delivery that stalls for longer ends the connection. */
const maxAheadMs = 30_000;

/**
 * A stall whose cause is not known yet. `lateness`: how late packets were before it; `least`: how late they have been
 * since at least, in milliseconds; `since`: when that was.
 */
interface Stall {
  readonly lateness: number;
  readonly least: number;
  readonly since: number;
}

/**
 * Gives the position of each packet of one source on the session's timeline, in samples, by the packet's timestamp: what
 * is delivered late has the time at which it was spoken. If the sender restarts its counter, or paused it, the counter is
 * compared with the wall clock again. `startsAtMs`: media time before the first packet. `written`: how many samples the
 * timeline has so far. Packets have to come in order.
 */
export const mediaClock = (startsAtMs: number): ((packet: RtpMedia, written: number) => number) => {
  let first: number | undefined;
  let anchor = { timestamp: 0, position: 0 };
  let last = { timestamp: 0, lateness: 0 };
  let stall: Stall | undefined;

  /** The stall after a packet, and whether the sender had paused. */
  const judged = (lateness: number, arrivedAt: number): readonly [stall: Stall | undefined, paused: boolean] => {
    const before = stall?.lateness ?? last.lateness;
    const begun: Stall = { lateness: before, least: lateness, since: arrivedAt };
    if (lateness - last.lateness > minStallMs) return [begun, false];
    if (stall === undefined || lateness - before <= minStallMs) return [undefined, false];
    if (lateness < stall.least - minProgressMs) return [begun, false];
    return [stall, arrivedAt - stall.since > decisionMs];
  };

  return ({ timestamp: counter, arrivedAt }, written) => {
    const isFirst = first === undefined;
    first ??= arrivedAt - startsAtMs;
    const clock = arrivedAt - first;
    const timestamp = unwrap(last.timestamp, counter, 32);
    const expected = anchor.position + Math.round(((timestamp - anchor.timestamp) / ticksPerMs) * samplesPerMs);
    const lateness = clock - expected / samplesPerMs;
    const [next, paused] = judged(lateness, arrivedAt);
    const isNewCounter = isFirst || timestamp < last.timestamp || lateness < -maxAheadMs;
    if (!isNewCounter && !paused) {
      stall = next;
      last = { timestamp, lateness };
      return expected;
    }
    const usual = stall?.lateness ?? last.lateness;
    const position = Math.max(written, Math.round((clock - usual) * samplesPerMs));
    anchor = { timestamp, position };
    stall = undefined;
    last = { timestamp, lateness: clock - position / samplesPerMs };
    return position;
  };
};
