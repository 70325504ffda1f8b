import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

/** The mark that the Lambda runtime puts on a handler wrapped by `awslambda.streamifyResponse`. */
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

interface Prelude {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
}

/**
 * The target of a streaming handler. The head goes out with the first byte, or at the end if there is none; until then the gateway can
 * still answer with an error.
 */
export class ResponseStream extends Writable {
  readonly #response: ServerResponse;
  #prelude: Prelude = { headers: { 'content-type': 'application/octet-stream' } };

  constructor(response: ServerResponse) {
    super();
    this.#response = response;
    // A stream that breaks must not look complete; and an error without a listener would end the process.
    this.on('error', () => response.destroy());
  }

  setContentType(contentType: string): void {
    this.#prelude = { headers: { 'content-type': contentType } };
  }

  setPrelude(prelude: Prelude): void {
    this.#prelude = prelude;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#sendHead();
    if (this.#isOver() || chunk.length === 0 || this.#response.write(chunk)) done();
    else this.#afterDrain(done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sendHead();
    if (this.#isOver()) done();
    else this.#response.end(done);
  }

  /** The client has gone away, or got the time-out: the handler continues unheard, as on Lambda. */
  #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  #sendHead(): void {
    if (this.#response.headersSent) return;
    const { statusCode = 200, headers = {}, multiValueHeaders = {}, cookies = [] } = this.#prelude;
    const all: OutgoingHttpHeaders = { ...headers };
    for (const [name, values] of Object.entries(multiValueHeaders)) all[name] = [...values];
    if (cookies.length > 0) all['set-cookie'] = [...cookies];
    this.#response.writeHead(statusCode, all);
    this.#response.flushHeaders();
  }

  #afterDrain(done: () => void): void {
    const resume = () => {
      this.#response.off('drain', resume).off('close', resume);
      done();
    };
    this.#response.on('drain', resume).on('close', resume);
  }
}

/** Provides the `awslambda` global that streaming handlers expect when their module is loaded. */
export function installLambdaGlobal(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: object) => Object.assign(handler, { [STREAMING]: 'response' }),
      HttpResponseStream: {
        from(stream: ResponseStream, prelude: Prelude): ResponseStream {
          stream.setPrelude(prelude);
          return stream;
        },
      },
    },
  });
}

export function isStreaming(handler: object): boolean {
  return (handler as { [STREAMING]?: unknown })[STREAMING] === 'response';
}
