import { type RtpMedia, unwrap } from './rtp.js';

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

/** The time that a report covers. */
const windowMs = 1_000;
/** Another source takes over when the current one has sent nothing for this long. */
const takeOverMs = 1_000;
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
  let source: { id: number; lastAt: number } | undefined;
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
  const isCurrentSource = ({ source: id, arrivedAt }: RtpMedia): boolean => {
    if (source === undefined || (source.id !== id && arrivedAt - source.lastAt > takeOverMs)) {
      source = { id, lastAt: arrivedAt };
      frame = undefined;
    }
    if (source.id !== id) return false;
    source.lastAt = arrivedAt;
    return true;
  };

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
      if (end - windowStart < windowMs) return;
      const { width, height } = size ?? { width: null, height: null };
      completed({ start: seconds(windowStart), end: seconds(end), frames, width, height });
      windowStart = end;
      frames = 0;
    },
  };
};
