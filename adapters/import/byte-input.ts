const lineFeed = 0x0a;

/** Reads a stream of bytes in short lines and in pieces of a known length, as two processes send them to each other. */
export class ByteInput {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next chunk; null at the end of the stream. */
  async #next(): Promise<Buffer | null> {
    const next = await this.#chunks.next();
    if (next.done === true) return null;
    const { buffer, byteOffset, byteLength } = next.value;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** The next line, without its end; null at the end of the stream. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(lineFeed);
      if (end !== -1) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const more = await this.#next();
      if (more === null) return null;
      this.#rest = Buffer.concat([this.#rest, more]);
    }
  }

  /** The next so many bytes, as they come; fewer at the end of the stream. Those that nobody takes are passed over. */
  async *bytes(length: number): AsyncGenerator<Buffer, void> {
    let left = length;
    try {
      while (left > 0) {
        const chunk = await this.#chunk(left);
        if (chunk === null) return;
        left -= chunk.length;
        yield chunk;
      }
    } finally {
      while (left > 0) left -= (await this.#chunk(left))?.length ?? left;
    }
  }

  async #chunk(most: number): Promise<Buffer | null> {
    const found = this.#rest.length > 0 ? this.#rest : await this.#next();
    this.#rest = found?.subarray(most) ?? this.#rest;
    return found?.subarray(0, most) ?? null;
  }

  /** The next so many bytes in one piece; null where the stream ends before. */
  async whole(length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const whole = new Uint8Array(length);
    let place = 0;
    for await (const chunk of this.bytes(length)) {
      whole.set(chunk, place);
      place += chunk.length;
    }
    return place === length ? whole : null;
  }
}
