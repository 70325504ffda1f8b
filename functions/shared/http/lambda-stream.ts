import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { EndpointContext } from './http-middleware.ts';
import type { HttpResponse } from './reply.ts';

/** The response stream of a Lambda function. The head goes out once, before the first byte of the body. */
export class LambdaStream {
  /** The invocation's context, with the signal of a client that goes away. */
  readonly context: EndpointContext & { readonly signal: AbortSignal };
  readonly #raw: awslambda.HttpResponseStream;
  #stream: awslambda.HttpResponseStream | null = null;

  constructor(raw: awslambda.HttpResponseStream, context: EndpointContext) {
    const broken = new AbortController();
    // A stream that breaks, or is closed before its end, has lost its reader.
    raw.on('error', () => broken.abort());
    raw.once('close', () => raw.writableFinished || broken.abort());
    // Not AbortSignal.any, which takes a third of a millisecond of each request before the model is asked.
    context.signal?.addEventListener('abort', () => broken.abort(context.signal?.reason), { once: true });
    if (context.signal?.aborted) broken.abort(context.signal.reason);
    this.#raw = raw;
    this.context = {
      awsRequestId: context.awsRequestId,
      getRemainingTimeInMillis: () => context.getRemainingTimeInMillis(),
      signal: broken.signal,
    };
  }

  get hasBegun(): boolean {
    return this.#stream !== null;
  }

  begin({ statusCode, headers, multiValueHeaders }: Omit<HttpResponse, 'body'>): void {
    const head = { statusCode, headers, ...(multiValueHeaders && { multiValueHeaders }) };
    this.#stream ??= awslambda.HttpResponseStream.from(this.#raw, head);
  }

  /** Waits while the client reads more slowly than this writes, until `signal` is aborted. */
  async write(text: string, signal: AbortSignal = this.context.signal): Promise<void> {
    if (this.context.signal.aborted || this.#stream?.write(text) !== false) return;
    await once(this.#stream, 'drain', { signal }).catch(() => undefined);
  }

  /** @param rest the last of the body. */
  async end(rest = ''): Promise<void> {
    if (this.#stream === null) return;
    this.#stream.end(rest);
    // The client's going away is not a failure of the function.
    await finished(this.#stream).catch((error: unknown) => {
      if (!this.context.signal.aborted) throw error;
    });
  }
}
