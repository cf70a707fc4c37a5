import { type RtpMedia, unwrap } from '../rtp.js';
import {
  frameSize,
  initialWindows,
  processAudioFrame,
  type VoiceWindow,
  type Windows,
} from '../../../../domain/voice-activity/detector.js';
import { type DecodeOpus, maxQuietPacketBytes } from './opus-decoders.js';

/** Decoded samples per millisecond. RTP counts Opus at 48 kHz, three times as many (RFC 7587). */
const samplesPerMs = 16;
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
const mediaClock = (startsAtMs: number): ((packet: RtpMedia, written: number) => number) => {
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

const windowSamples = 4_000;
const windowFrames = 10;
/** How long nothing may arrive before it counts as silence: after sound, and after a packet that announced silence. */
const maxGapMs = 500;
const maxQuietGapMs = 200;
/** A longer gap is skipped instead of filled with silence: nobody was connected. */
const maxFilledSamples = 3_000 * samplesPerMs;
/** Cuts samples into frames of 25 ms. A frame with half of its samples missing is undefined. The array is reused. */
const frameBuffer = (onFrame: (samples: Float32Array | undefined) => void) => {
  const pending = new Float32Array(frameSize);
  let filled = 0;
  let missing = 0;
  const advance = (samples: number): void => {
    filled += samples;
    if (filled < frameSize) return;
    onFrame(missing * 2 >= frameSize ? undefined : pending);
    pending.fill(0);
    filled = 0;
    missing = 0;
  };
  return {
    add: (samples: Float32Array): void => {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + frameSize - filled);
        pending.set(part, filled);
        at += part.length;
        advance(part.length);
      }
    },
    addMissing: (samples: number): void => {
      for (let left = samples; left > 0;) {
        const part = Math.min(left, frameSize - filled);
        missing += part;
        left -= part;
        advance(part);
      }
    },
  };
};

/**
 * Puts the sound of one source on the session's timeline, in windows of 250 ms, whatever is lost, late or not sent.
 * `startsAtMs`: media time before the source began; `windowsBefore`: windows that were completed before it.
 */
const audioTimeline = (
  decode: DecodeOpus,
  startsAtMs: number,
  windowsBefore: number,
  completed: (window: VoiceWindow) => void,
) => {
  let windows: Windows = { ...initialWindows, framesBefore: windowsBefore * windowFrames };
  let written = windowsBefore * windowSamples;
  let last: { arrivedAt: number; end: number; quiet: boolean } | undefined;
  const positionOf = mediaClock(startsAtMs);

  const frames = frameBuffer((frame) => {
    const processed = processAudioFrame(windows, frame);
    windows = processed.windows;
    if (processed.completed !== undefined) completed(processed.completed);
  });
  const fillGap = (samples: number): void => {
    const skipped = samples > maxFilledSamples ? Math.floor(samples / windowSamples) : 0;
    windows = { ...windows, framesBefore: windows.framesBefore + skipped * windowFrames };
    frames.addMissing(samples - skipped * windowSamples);
    written += samples;
  };
  return {
    /** Adds a packet; packets have to come in order. */
    add: (packet: RtpMedia): void => {
      const position = positionOf(packet, written);
      const samples = decode(packet.payload);
      if (position > written) fillGap(position - written);
      const length = samples?.length ?? 0;
      const fresh = samples?.subarray(Math.min(length, written - position));
      if (fresh !== undefined) {
        frames.add(fresh);
        written += fresh.length;
      }
      const quiet = packet.payload.length <= maxQuietPacketBytes;
      last = { arrivedAt: packet.arrivedAt, end: position + length, quiet };
    },
    /** Fills with silence when no packets arrive: a sender with discontinuous transmission sends none while it is quiet. */
    advance: (now: number): void => {
      if (last === undefined) return;
      const gapMs = last.quiet ? maxQuietGapMs : maxGapMs;
      const due = last.end + Math.floor((now - last.arrivedAt - gapMs) * samplesPerMs);
      if (due > written) fillGap(due - written);
    },
  };
};

/** A missing packet is waited for until this many later ones are held, or until one was held for this long. */
const maxHeld = 4;
const maxWaitMs = 80;
/** A larger jump of the sequence number means that the sender restarted. */
const maxSequenceJump = 1_000;

/** A jitter buffer: puts the packets of one source in the order of their sequence numbers. */
export const packetOrder = () => {
  const held = new Map<number, RtpMedia>();
  let next: number | undefined;

  const takeNext = (): RtpMedia | undefined => {
    if (next === undefined) return undefined;
    const packet = held.get(next);
    if (packet === undefined) return undefined;
    held.delete(next);
    next += 1;
    return packet;
  };
  const release = (): readonly RtpMedia[] => {
    const released: RtpMedia[] = [];
    for (let packet = takeNext(); packet !== undefined; packet = takeNext()) released.push(packet);
    return released;
  };
  const skipMissing = (): readonly RtpMedia[] => {
    next = Math.min(...held.keys());
    return release();
  };

  return {
    /** Adds a packet and returns those that can be released in order. Late and duplicate packets are dropped. */
    add: (packet: RtpMedia): readonly RtpMedia[] => {
      const sequence = unwrap(next ?? packet.sequence, packet.sequence, 16);
      if (next === undefined || Math.abs(sequence - next) > maxSequenceJump) {
        held.clear();
        next = sequence;
      }
      if (sequence < next) return [];
      held.set(sequence, packet);
      const released = release();
      return held.size >= maxHeld ? [...released, ...skipMissing()] : released;
    },
    /** Stops waiting for packets that have been missing for too long, and returns those behind them. */
    expire: (now: number): readonly RtpMedia[] => {
      if (held.size === 0) return [];
      const oldest = Math.min(...[...held.values()].map(({ arrivedAt }) => arrivedAt));
      return now - oldest > maxWaitMs ? skipMissing() : [];
    },
  };
};

/** Another source takes over when the current one has sent nothing for this long. */
const takeOverMs = 1_000;
const windowMs = 250;

/**
 * The audio of a session. If there are several sources, the first one that sends is analysed until it stops.
 * `mediaStart`: when the first media of the session arrived.
 */
export const audioTrack = (decode: DecodeOpus, mediaStart: () => number, completed: (window: VoiceWindow) => void) => {
  let current: ReturnType<typeof switchTo> | undefined;
  let completedWindows: number | undefined;
  const report = (window: VoiceWindow): void => {
    completedWindows = Math.round((window.end * 1_000) / windowMs);
    completed(window);
  };
  const switchTo = (packet: RtpMedia) => {
    const startsAt = packet.arrivedAt - mediaStart();
    completedWindows ??= Math.floor(startsAt / windowMs);
    const timeline = audioTimeline(decode, startsAt, completedWindows, report);
    return { source: packet.source, lastAt: packet.arrivedAt, order: packetOrder(), timeline };
  };
  return {
    add: (packet: RtpMedia): void => {
      const now = packet.arrivedAt;
      const isOther = current !== undefined && current.source !== packet.source && now - current.lastAt > takeOverMs;
      const chosen = current === undefined || isOther ? switchTo(packet) : current;
      current = chosen;
      if (chosen.source !== packet.source) return;
      chosen.lastAt = now;
      for (const next of chosen.order.add(packet)) chosen.timeline.add(next);
    },
    /** Tells the track the time; to be called several times a second while the peer is connected. */
    advance: (now: number): void => {
      if (current === undefined) return;
      for (const packet of current.order.expire(now)) current.timeline.add(packet);
      current.timeline.advance(now);
    },
  };
};
