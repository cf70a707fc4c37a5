import { type RtpMedia, unwrapped } from '../rtp.js';
import { keyFrameSize, type PictureSize } from './vp8.js';

export interface VideoWindow {
  readonly start: number;
  readonly end: number;
  readonly frames: number;
  readonly width: number | null;
  readonly height: number | null;
}

export interface FrameCounter {
  readonly take: (packet: RtpMedia, codec: string) => void;
  /** Lets time pass; to be called several times a second while the peer is connected. */
  readonly pass: (now: number) => void;
}

/** Milliseconds that a report covers. */
const windowLength = 1_000;
const takeOver = 1_000;
const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/**
 * Counts the pictures of one source: packets of one picture share its timestamp and the last has the marker, and a
 * picture whose last packet was lost is counted when the next begins.
 */
export const frameCounter = (mediaStart: () => number, completed: (window: VideoWindow) => void): FrameCounter => {
  let source: { id: number; at: number } | undefined;
  let picture: { timestamp: number; counted: boolean } | undefined;
  let size: PictureSize | undefined;
  let windowStart: number | undefined;
  let frames = 0;

  const count = (packet: RtpMedia): void => {
    const timestamp = unwrapped(picture?.timestamp ?? packet.timestamp, packet.timestamp, 32);
    if (picture !== undefined && timestamp < picture.timestamp) return;
    if (picture === undefined || timestamp > picture.timestamp) {
      if (picture !== undefined && !picture.counted) frames += 1;
      picture = { timestamp, counted: false };
    }
    if (!packet.marker || picture.counted) return;
    frames += 1;
    picture.counted = true;
  };
  const isHeard = ({ source: id, arrivedAt }: RtpMedia): boolean => {
    if (source === undefined || (source.id !== id && arrivedAt - source.at > takeOver)) {
      source = { id, at: arrivedAt };
      picture = undefined;
    }
    if (source.id !== id) return false;
    source.at = arrivedAt;
    return true;
  };

  return {
    take: (packet, codec) => {
      if (packet.payload.length === 0 || !isHeard(packet)) return;
      windowStart ??= packet.arrivedAt - mediaStart();
      if (codec === 'video/vp8') size = keyFrameSize(packet.payload) ?? size;
      count(packet);
    },
    pass: (now) => {
      if (windowStart === undefined) return;
      const end = now - mediaStart();
      if (end - windowStart < windowLength) return;
      const { width, height } = size ?? { width: null, height: null };
      completed({ start: seconds(windowStart), end: seconds(end), frames, width, height });
      windowStart = end;
      frames = 0;
    },
  };
};
