/** The bytes of a body, in blocks of one size, of which the last may be filled in part; a small body is one block. */
export interface ReceivedBody {
  readonly blocks: ReadonlyArray<Uint8Array>;
  readonly length: number;
}

/** A body of bytes that are at hand. */
export const bodyOf = (bytes: Uint8Array): ReceivedBody => ({ blocks: [bytes], length: bytes.length });

/** All bytes of a body in one piece; those of more than one block are copied. */
export const wholeBody = ({ blocks, length }: ReceivedBody): Uint8Array => {
  const [first] = blocks;
  if (first !== undefined && first.length >= length) return first.subarray(0, length);
  const whole = new Uint8Array(length);
  let place = 0;
  for (const block of blocks) {
    const piece = block.subarray(0, length - place);
    whole.set(piece, place);
    place += piece.length;
  }
  return whole;
};
