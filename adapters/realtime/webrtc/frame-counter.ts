import { type RtpMedia, unwrap } from './rtp.js';

export interface VideoWindow {
  readonly start: number;
  readonly end: number;
  readonly frames: number;
  readonly width: number | null;
  readonly height: number | null;
}

export interface FrameCounter {
  readonly add: (packet: RtpMedia, codec: string) => void;
  /** Tells the counter the time; to be called several times a second while the peer is connected. */
  readonly advance: (now: number) => void;
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

/** The length of a VP8 payload descriptor (RFC 7741, 4.2); undefined if it is truncated. */
const descriptorLength = (payload: Uint8Array): number | undefined => {
  const first = payload[0];
  if (first === undefined) return undefined;
  if ((first & 0x80) === 0) return 1;
  const extension = payload[1];
  if (extension === undefined) return undefined;
  let length = 2;
  if ((extension & 0x80) !== 0) length += ((payload[length] ?? 0) & 0x80) === 0 ? 1 : 2;
  if ((extension & 0x40) !== 0) length += 1;
  if ((extension & 0x30) !== 0) length += 1;
  return length;
};

/** Whether a VP8 packet begins the first partition of a frame. */
const beginsFrame = (payload: Uint8Array): boolean => ((payload[0] ?? 0) & 0x17) === 0x10;

/** The frame size in a VP8 packet that begins a key frame (RFC 6386, 9.1); undefined for other packets. */
export const keyFrameSize = (payload: Uint8Array): FrameSize | undefined => {
  const length = descriptorLength(payload);
  if (length === undefined || !beginsFrame(payload) || payload.length < length + 10) return undefined;
  const at = (offset: number): number => payload[length + offset] ?? 0;
  if ((at(0) & 1) !== 0) return undefined;
  if (at(3) !== 0x9d || at(4) !== 0x01 || at(5) !== 0x2a) return undefined;
  return { width: (at(6) | (at(7) << 8)) & 0x3fff, height: (at(8) | (at(9) << 8)) & 0x3fff };
};

/**
 * Counts the video frames of one source. Packets of one frame have the same timestamp, and the last one has the marker;
 * a frame whose last packet was lost is counted when the next frame begins.
 */
export const frameCounter = (mediaStart: () => number, completed: (window: VideoWindow) => void): FrameCounter => {
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
    add: (packet, codec) => {
      if (packet.payload.length === 0 || !isCurrentSource(packet)) return;
      windowStart ??= packet.arrivedAt - mediaStart();
      if (codec === 'video/vp8') size = keyFrameSize(packet.payload) ?? size;
      count(packet);
    },
    advance: (now) => {
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
