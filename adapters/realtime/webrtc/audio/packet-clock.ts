import { type RtpMedia, unwrapped } from '../rtp.js';

/** Samples a millisecond, after decoding; RTP counts Opus at 48 kHz, three times as many (RFC 7587). */
export const perMillisecond = 16;
const rtpPerSample = 3;
/** A timestamp farther than this off the clock is a sender that counts anew; one less far behind comes too late. */
const farthestAhead = 2_000 * perMillisecond;
const farthestBehind = 10_000 * perMillisecond;

/**
 * Where the packets of one source belong on the time of the session, in samples, by their timestamps. `startsAt`:
 * milliseconds of media before the first. `written`: where the sound has got to.
 */
export const packetClock = (startsAt: number): ((packet: RtpMedia, written: number) => number) => {
  let anchor: { timestamp: number; position: number; wall: number } | undefined;
  let last = 0;
  return (packet, written) => {
    const timestamp = unwrapped(last, packet.timestamp, 32);
    last = timestamp;
    anchor ??= {
      timestamp,
      position: Math.max(written, Math.round(startsAt * perMillisecond)),
      wall: packet.arrivedAt - startsAt,
    };
    const position = anchor.position + Math.round((timestamp - anchor.timestamp) / rtpPerSample);
    const clock = Math.round((packet.arrivedAt - anchor.wall) * perMillisecond);
    if (position - clock <= farthestAhead && clock - position <= farthestBehind) return position;
    anchor = { ...anchor, timestamp, position: Math.max(written, clock) };
    return anchor.position;
  };
};
