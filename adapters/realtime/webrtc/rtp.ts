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
