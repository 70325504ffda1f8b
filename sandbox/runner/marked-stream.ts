/** Beyond it, it is not an answer of what serves the calls. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** The output of one call: what comes before its mark, and behind that, up to a NUL, what the call's end says. */
export class MarkedStream {
  readonly payload: Promise<string>;
  readonly #mark: Buffer;
  readonly #output: (chunk: Buffer) => void;
  readonly #end = Promise.withResolvers<string>();
  #rest = Buffer.alloc(0);
  #isMarked = false;

  constructor(mark: string, output: (chunk: Buffer) => void) {
    this.#mark = Buffer.from(`\0${mark}:`);
    this.#output = output;
    this.payload = this.#end.promise;
    this.payload.catch(() => undefined);
  }

  add(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    if (!this.#isMarked) {
      const at = bytes.indexOf(this.#mark);
      const end = at === -1 ? bytes.length - this.#begunMark(bytes) : at;
      if (end > 0) this.#output(bytes.subarray(0, end));
      if (at === -1) {
        this.#rest = Buffer.from(bytes.subarray(end));
        return;
      }
      this.#isMarked = true;
      bytes = bytes.subarray(at + this.#mark.length);
    }
    const end = bytes.indexOf(0);
    if (end !== -1) this.#end.resolve(bytes.toString('utf8', 0, end));
    else if (bytes.length > MAX_PAYLOAD_BYTES) this.#end.reject(new Error('The end of a call is too long.'));
    else this.#rest = Buffer.from(bytes);
  }

  /** Bytes at the end that may be the start of the mark. */
  #begunMark(bytes: Buffer): number {
    for (let length = Math.min(this.#mark.length - 1, bytes.length); length > 0; length -= 1)
      if (bytes.subarray(bytes.length - length).equals(this.#mark.subarray(0, length))) return length;
    return 0;
  }
}
