/** The bytes of a large body. They lie in blocks of one size, of which the last may be filled in part. */
export class BodyBytes {
  readonly length: number;
  readonly #blocks: ReadonlyArray<Uint8Array>;
  readonly #blockSize: number;
  #current: Uint8Array;
  #start = 0;
  #end: number;

  constructor(blocks: ReadonlyArray<Uint8Array>, length: number) {
    this.#blocks = blocks;
    this.length = length;
    this.#current = blocks[0] ?? new Uint8Array();
    this.#blockSize = Math.max(1, this.#current.length);
    this.#end = Math.min(length, this.#current.length);
  }

  /** The byte at a place; undefined beyond the end. Fast where places follow each other. */
  at(place: number): number | undefined {
    if (place < this.#start || place >= this.#end) {
      if (place >= this.length) return undefined;
      const index = Math.floor(place / this.#blockSize);
      this.#current = this.#blocks[index] ?? this.#current;
      this.#start = index * this.#blockSize;
      this.#end = Math.min(this.length, this.#start + this.#blockSize);
    }
    return this.#current[place - this.#start];
  }

  /** A copy of the bytes from one place up to another. */
  copy(start: number, end: number): Buffer {
    const copied = Buffer.allocUnsafe(end - start);
    let place = start;
    while (place < end) {
      const offset = place % this.#blockSize;
      const block = this.#blocks[Math.floor(place / this.#blockSize)] ?? this.#current;
      const piece = block.subarray(offset, offset + end - place);
      copied.set(piece, place - start);
      place += piece.length;
    }
    return copied;
  }
}
