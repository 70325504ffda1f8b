/** Bytes kept of one stream, half of them from its beginning and half from its end. */
const MAX_BYTES = 1024 * 1024;

/** Head and tail of a stream, with a line between them that says how much is missing. */
export class TruncatedOutput {
  readonly #halfBytes: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #leftOutBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#halfBytes = Math.floor(maxBytes / 2);
  }

  add(chunk: Buffer): void {
    const toHead = chunk.subarray(0, this.#halfBytes - this.#headBytes);
    if (toHead.length > 0) {
      this.#head.push(toHead);
      this.#headBytes += toHead.length;
    }
    const toTail = chunk.subarray(toHead.length);
    if (toTail.length === 0) return;
    this.#tail.push(toTail);
    this.#tailBytes += toTail.length;
    // Not at every chunk: joining costs what is held.
    if (this.#tailBytes > 2 * this.#halfBytes) this.#cutTail();
  }

  /** UTF-8; bytes that are none become U+FFFD. */
  text(): string {
    this.#cutTail();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#leftOutBytes === 0) return Buffer.concat([head, tail]).toString('utf8');
    // The cuts are ours: a character that they split is left out, not shown as broken.
    const headEnd = wholeCharactersEnd(head);
    const tailStart = firstCharacterStart(tail);
    const leftOutBytes = this.#leftOutBytes + head.length - headEnd + tailStart;
    return `${head.toString('utf8', 0, headEnd)}\n[... ${leftOutBytes} bytes left out ...]\n${tail.toString('utf8', tailStart)}`;
  }

  #cutTail(): void {
    const excess = this.#tailBytes - this.#halfBytes;
    if (excess <= 0) return;
    const joined = Buffer.concat(this.#tail);
    // A copy: a part of the joined one would hold all of it.
    this.#tail = [Buffer.from(joined.subarray(excess))];
    this.#tailBytes = this.#halfBytes;
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
