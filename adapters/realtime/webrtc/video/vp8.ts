export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Length of the payload descriptor (RFC 7741, 4.2); undefined where it is cut off. */
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

/** A packet that begins the first partition of a frame. */
const beginsFrame = (payload: Uint8Array): boolean => ((payload[0] ?? 0) & 0x17) === 0x10;

/** The size that a VP8 packet tells when it begins a key frame (RFC 6386, 9.1); undefined otherwise. */
export const keyFrameSize = (payload: Uint8Array): PictureSize | undefined => {
  const length = descriptorLength(payload);
  if (length === undefined || !beginsFrame(payload) || payload.length < length + 10) return undefined;
  const at = (offset: number): number => payload[length + offset] ?? 0;
  if ((at(0) & 1) !== 0) return undefined;
  if (at(3) !== 0x9d || at(4) !== 0x01 || at(5) !== 0x2a) return undefined;
  return { width: (at(6) | (at(7) << 8)) & 0x3fff, height: (at(8) | (at(9) << 8)) & 0x3fff };
};
