const lineFeed = 0x0a;

/** Reads the protocol between the service and a child process: lines, and byte strings of known length. */
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

  /** The next `length` bytes in chunks; fewer at the end of the stream. Bytes that the caller does not read are skipped. */
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

  async #chunk(maxBytes: number): Promise<Buffer | null> {
    const found = this.#rest.length > 0 ? this.#rest : await this.#next();
    this.#rest = found?.subarray(maxBytes) ?? this.#rest;
    return found?.subarray(0, maxBytes) ?? null;
  }

  /** The next `length` bytes as one array; null if the stream ends before. */
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
