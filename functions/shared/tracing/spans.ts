import { environment } from '../environment.ts';
import { memoize } from '../memoize.ts';
import { memoizeAsync } from '../memoize-async.ts';
import { errorType, type Span, type SpanOptions } from './span.ts';
import type { Tracer } from './tracer.ts';

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined };

/** Where spans go to; undefined: nowhere, and nothing of tracing is loaded. */
const endpoint = memoize(() => environment('TRACES_ENDPOINT').TRACES_ENDPOINT);
let loaded: Tracer | undefined;
const tracer = memoizeAsync(async () => {
  const { OtlpTracer } = await import('./tracer.ts');
  loaded = new OtlpTracer(endpoint()!);
  return loaded;
});

/**
 * Runs `work` as a span, below the one that is running. The first span of an invocation waits until its spans are sent: after the
 * response, Lambda stops the process.
 */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return endpoint() === undefined ? work(NO_SPAN) : (await tracer()).inSpan(name, options, work);
}

/** As `inSpan`, for the parts of a stream; it ends with the stream, also where its reader leaves. */
export async function* streamInSpan<Part>(
  name: string,
  options: SpanOptions,
  parts: AsyncIterable<Part>,
  observe: (part: Part, span: Span) => void,
): AsyncGenerator<Part> {
  if (endpoint() === undefined) return yield* parts;
  const span = (await tracer()).begin(name, options);
  try {
    for await (const part of parts) {
      observe(part, span);
      yield part;
    }
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** W3C `traceparent` of the running span, for calls of other functions; undefined without tracing. */
export function traceparent(): string | undefined {
  return loaded?.traceparent();
}
