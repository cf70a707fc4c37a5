/** Bytes that arrived and have not been taken yet, in one piece; what a long answer adds is copied about once. */
export interface Arrived {
  readonly add: (chunk: Uint8Array) => void;
  readonly bytes: () => Buffer;
  /** Leaves these alone, the last of what arrived. */
  readonly keep: (rest: Uint8Array) => void;
}

export const arrived = (): Arrived => {
  let room = Buffer.alloc(0);
  let length = 0;
  return {
    add: (chunk) => {
      if (length + chunk.length > room.length) {
        const larger = Buffer.allocUnsafe(2 * (length + chunk.length));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(chunk, length);
      length += chunk.length;
    },
    bytes: () => room.subarray(0, length),
    keep: (rest) => {
      room = Buffer.from(rest);
      length = room.length;
    },
  };
};
