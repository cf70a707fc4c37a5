/** What the analysis needs of an RTP packet (RFC 3550). */
export interface RtpMedia {
  readonly sequence: number;
  readonly timestamp: number;
  readonly source: number;
  readonly marker: boolean;
  readonly payload: Uint8Array;
  /** Milliseconds of a clock that only goes forward. */
  readonly arrivedAt: number;
}

/** The value nearest to the previous one of which the counter of `bits` bits shows the low part. */
export const unwrapped = (previous: number, value: number, bits: number): number => {
  const size = 2 ** bits;
  const low = ((previous % size) + size) % size;
  const ahead = (value - low + size) % size;
  return previous + (ahead >= size / 2 ? ahead - size : ahead);
};
