/** Bytes kept of one stream, half of them from its start and half from its end. */
const MAX_BYTES = 1024 * 1024;
const INITIAL_BYTES = 4096;

/**
 * Head and tail of a stream, with a line between them that says how much is missing. Chunks are copied: a program that
 * writes single bytes costs no more memory than one that writes many at once.
 */
export class TruncatedOutput {
  readonly #halfBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #leftOutBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#halfBytes = Math.floor(maxBytes / 2);
  }

  add(chunk: Buffer): void {
    const half = this.#halfBytes;
    for (let at = 0; at < chunk.length; ) {
      // The head, and twice the tail: the middle is dropped when the buffer is full, not at every chunk.
      if (this.#length === 3 * half) this.#dropMiddle();
      this.#reserve(Math.min(3 * half, this.#length + chunk.length - at));
      const copied = chunk.copy(this.#bytes, this.#length, at, at + 3 * half - this.#length);
      if (copied === 0) {
        this.#leftOutBytes += chunk.length - at;
        return;
      }
      this.#length += copied;
      at += copied;
    }
  }

  /** UTF-8; invalid bytes become U+FFFD. */
  text(): string {
    this.#dropMiddle();
    if (this.#leftOutBytes === 0) return this.#bytes.toString('utf8', 0, this.#length);
    const head = this.#bytes.subarray(0, this.#halfBytes);
    const tail = this.#bytes.subarray(this.#halfBytes, this.#length);
    // The cuts are ours: a character that they split is left out, not shown as broken.
    const headEnd = wholeCharactersEnd(head);
    const tailStart = firstCharacterStart(tail);
    const leftOutBytes = this.#leftOutBytes + head.length - headEnd + tailStart;
    return `${head.toString('utf8', 0, headEnd)}\n[... ${leftOutBytes} bytes left out ...]\n${tail.toString('utf8', tailStart)}`;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes, INITIAL_BYTES, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #dropMiddle(): void {
    const excess = this.#length - 2 * this.#halfBytes;
    if (excess <= 0) return;
    this.#bytes.copyWithin(this.#halfBytes, this.#halfBytes + excess, this.#length);
    this.#length -= excess;
    this.#leftOutBytes += excess;
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function wholeCharactersEnd(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead >= 0 && bytes.length - lead < 4 && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead];
  if (byte === undefined || byte < 0xc0) return bytes.length;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  return bytes.length - lead < length ? lead : bytes.length;
}

function firstCharacterStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return start;
}
