import {
  frameSize,
  initialWindows,
  processAudioFrame,
  type VoiceWindow,
  type Windows,
} from '../../../domain/voice-activity/detector.js';
import { type DecodeOpus, maxQuietPacketBytes } from './opus-decoders.js';

/** What the analysis needs of an RTP packet (RFC 3550). */
export interface RtpMedia {
  readonly sequence: number;
  readonly timestamp: number;
  /** The synchronization source (SSRC) of the sender. */
  readonly source: number;
  readonly marker: boolean;
  readonly payload: Uint8Array;
  /** Arrival time in milliseconds of a monotonic clock. */
  readonly arrivedAt: number;
}

/** Extends a counter of `bits` bits that wraps around: the full value nearest to the previous full value. */
export const unwrap = (previous: number, value: number, bits: number): number => {
  const size = 2 ** bits;
  const low = ((previous % size) + size) % size;
  const ahead = (value - low + size) % size;
  return previous + (ahead >= size / 2 ? ahead - size : ahead);
};

/** Another source takes over when the current one has sent nothing for this long. */
const takeOverMs = 1_000;

/** Tells whether a packet is of the source that is followed; `onSwitch` is called with the first packet of each. */
const oneSource = (onSwitch: (first: RtpMedia) => void) => {
  let current: { readonly id: number; lastAt: number } | undefined;
  return (packet: RtpMedia): boolean => {
    const { source: id, arrivedAt: lastAt } = packet;
    if (current === undefined || (current.id !== id && lastAt - current.lastAt > takeOverMs)) {
      current = { id, lastAt };
      onSwitch(packet);
    }
    if (current.id !== id) return false;
    current.lastAt = lastAt;
    return true;
  };
};

export interface VideoWindow {
  readonly start: number;
  readonly end: number;
  readonly frames: number;
  readonly width: number | null;
  readonly height: number | null;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** The time that a report of frames covers. */
const reportMs = 1_000;
const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/** What the size follows in a VP8 key frame (RFC 6386, 9.1), and how far behind its payload descriptor that can be. */
const startCode = Uint8Array.of(0x9d, 0x01, 0x2a);
const maxStart = 9;

/** The frame size in a VP8 packet that begins a key frame; undefined for other packets. */
export const keyFrameSize = (payload: Uint8Array): FrameSize | undefined => {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const at = bytes.indexOf(startCode);
  const beginsFrame = ((bytes[0] ?? 0) & 0x17) === 0x10;
  if (!beginsFrame || at < 4 || at > maxStart || bytes.length < at + 7) return undefined;
  if (((bytes[at - 3] ?? 1) & 1) !== 0) return undefined;
  return { width: bytes.readUInt16LE(at + 3) & 0x3fff, height: bytes.readUInt16LE(at + 5) & 0x3fff };
};

/**
 * Counts the video frames of one source. Packets of one frame have the same timestamp, and the last one has the marker;
 * a frame whose last packet was lost is counted when the next frame begins.
 */
export const frameCounter = (mediaStart: () => number, completed: (window: VideoWindow) => void) => {
  let frame: { timestamp: number; counted: boolean } | undefined;
  let size: FrameSize | undefined;
  let windowStart: number | undefined;
  let frames = 0;

  const count = (packet: RtpMedia): void => {
    const timestamp = unwrap(frame?.timestamp ?? packet.timestamp, packet.timestamp, 32);
    if (frame !== undefined && timestamp < frame.timestamp) return;
    if (frame === undefined || timestamp > frame.timestamp) {
      if (frame !== undefined && !frame.counted) frames += 1;
      frame = { timestamp, counted: false };
    }
    if (!packet.marker || frame.counted) return;
    frames += 1;
    frame.counted = true;
  };
  const isCurrentSource = oneSource(() => {
    frame = undefined;
  });

  return {
    add: (packet: RtpMedia, codec: string): void => {
      if (packet.payload.length === 0 || !isCurrentSource(packet)) return;
      windowStart ??= packet.arrivedAt - mediaStart();
      if (codec === 'video/vp8') size = keyFrameSize(packet.payload) ?? size;
      count(packet);
    },
    /** Tells the counter the time; to be called several times a second while the peer is connected. */
    advance: (now: number): void => {
      if (windowStart === undefined) return;
      const end = now - mediaStart();
      if (end - windowStart < reportMs) return;
      const { width, height } = size ?? { width: null, height: null };
      completed({ start: seconds(windowStart), end: seconds(end), frames, width, height });
      windowStart = end;
      frames = 0;
    },
  };
};

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
const packetOrder = () => {
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

const windowMs = 250;

/**
 * The audio of a session. If there are several sources, the first one that sends is analysed until it stops.
 * `mediaStart`: when the first media of the session arrived.
 */
export const audioTrack = (decode: DecodeOpus, mediaStart: () => number, completed: (window: VoiceWindow) => void) => {
  let order = packetOrder();
  let timeline: ReturnType<typeof audioTimeline> | undefined;
  let completedWindows: number | undefined;
  const report = (window: VoiceWindow): void => {
    completedWindows = Math.round((window.end * 1_000) / windowMs);
    completed(window);
  };
  const isCurrentSource = oneSource(({ arrivedAt }) => {
    const startsAt = arrivedAt - mediaStart();
    completedWindows ??= Math.floor(startsAt / windowMs);
    order = packetOrder();
    timeline = audioTimeline(decode, startsAt, completedWindows, report);
  });
  return {
    add: (packet: RtpMedia): void => {
      if (isCurrentSource(packet)) for (const next of order.add(packet)) timeline?.add(next);
    },
    /** Tells the track the time; to be called several times a second while the peer is connected. */
    advance: (now: number): void => {
      for (const packet of order.expire(now)) timeline?.add(packet);
      timeline?.advance(now);
    },
  };
};
