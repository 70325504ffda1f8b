import type { ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { OutputListener } from './launch.ts';

/** Bytes of a stream that are passed on while a program runs; the rest is in the outcome, as far as that goes. */
const MAX_BYTES = 1024 * 1024;
const MORE = '\n[... more output is in the result ...]\n';

/** The output of a program as lines of JSON, which start a response when there is the first of it. */
export class OutputLines {
  readonly #response: ServerResponse;
  readonly #streams = {
    stdout: { decoder: new StringDecoder('utf8'), left: MAX_BYTES },
    stderr: { decoder: new StringDecoder('utf8'), left: MAX_BYTES },
  };

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  readonly listen: OutputListener = (name, chunk) => {
    const stream = this.#streams[name];
    if (stream.left <= 0 || this.#response.destroyed) return;
    const text = stream.decoder.write(chunk.subarray(0, stream.left));
    stream.left -= chunk.length;
    const shown = stream.left < 0 ? text + MORE : text;
    if (shown !== '') this.#write({ stream: name, text: shown });
  };

  #write(line: object): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    this.#response.write(`${JSON.stringify(line)}\n`);
  }
}
