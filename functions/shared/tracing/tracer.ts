import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { type ReadableSpan, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { environment } from '../environment.ts';
import { logger } from '../logging.ts';
import { withoutTrailingSlashes } from '../without-trailing-slashes.ts';
import { type Attributes, errorType, type Span, type SpanOptions } from './span.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** A collector that does not answer must not hold up responses. */
const EXPORT_TIMEOUT_MS = 1_000;
/** Ended spans of an invocation. */
const ENDED = createContextKey('ended spans');

export interface BegunSpan extends Span {
  end(): void;
}

export interface Tracer {
  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  begin(name: string, options: SpanOptions): BegunSpan;
  traceparent(): string | undefined;
}

/**
 * Spans of OpenTelemetry's SDK, sent in OTLP/HTTP with JSON at the end of each invocation. The SDK's own processors send by a timer, which
 * stands still in a frozen function.
 */
export class OtlpTracer implements Tracer {
  readonly #url: string;
  readonly #running = new AsyncLocalStorage<Context>();
  readonly #tracer: SdkTracer;

  /** @param endpoint without `/v1/traces`, as OTEL_EXPORTER_OTLP_ENDPOINT. */
  constructor(endpoint: string) {
    this.#url = `${withoutTrailingSlashes(endpoint)}/v1/traces`;
    const spanProcessors = [new InvocationSpans()];
    this.#tracer = new TracerProvider({ resource: resource(), spanProcessors }).getTracer('tripod');
  }

  async inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const outer = this.#running.getStore();
    const ended: ReadableSpan[] = [];
    const span = this.#start(name, options, outer ?? ROOT_CONTEXT.setValue(ENDED, ended));
    try {
      return await this.#running.run(span.context, () => work(span));
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
      if (outer === undefined) await this.#export(ended);
    }
  }

  begin(name: string, options: SpanOptions): BegunSpan {
    return this.#start(name, options, this.#running.getStore() ?? ROOT_CONTEXT);
  }

  traceparent(): string | undefined {
    const running = trace.getSpanContext(this.#running.getStore() ?? ROOT_CONTEXT);
    if (running === undefined) return undefined;
    const isSampled = (running.traceFlags & TraceFlags.SAMPLED) !== 0;
    return `00-${running.traceId}-${running.spanId}-${isSampled ? '01' : '00'}`;
  }

  #start(name: string, { kind, attributes = {}, parent }: SpanOptions, outer: Context): StartedSpan {
    const caller = parseTraceParent(parent ?? '');
    const context = caller ? trace.setSpanContext(outer, { ...caller, isRemote: true }) : outer;
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } as never }, context);
    return new StartedSpan(span, trace.setSpan(context, span));
  }

  async #export(spans: ReadableSpan[]): Promise<void> {
    if (spans.length === 0) return;
    try {
      const { status } = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JsonTraceSerializer.serializeRequest(spans) as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
      });
      if (status >= 300) logger().warn('The collector of traces refused spans', { status });
    } catch (error) {
      logger().warn('Spans could not be sent', { error: error as Error });
    }
  }
}

class StartedSpan implements BegunSpan {
  readonly #span: SdkSpan;
  /** With the span as the running one. */
  readonly context: Context;

  constructor(span: SdkSpan, context: Context) {
    this.#span = span;
    this.context = context;
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes } as never);
  }

  fail(code: string): void {
    this.#span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}

/** Collects the ended spans of each invocation. */
class InvocationSpans implements SpanProcessor {
  readonly #lists = new WeakMap<object, unknown>();

  onStart(span: object, context: Context): void {
    this.#lists.set(span, context.getValue(ENDED));
  }

  onEnd(span: ReadableSpan): void {
    (this.#lists.get(span) as ReadableSpan[] | undefined)?.push(span);
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function resource(): Resource {
  const { SERVICE_VERSION, POWERTOOLS_SERVICE_NAME } = environment('SERVICE_VERSION', 'POWERTOOLS_SERVICE_NAME');
  const { AWS_LAMBDA_FUNCTION_NAME: name } = process.env;
  return resourceFromAttributes({
    'service.name': POWERTOOLS_SERVICE_NAME ?? 'tripod',
    'service.version': SERVICE_VERSION,
    ...(name !== undefined && { 'faas.name': name }),
  });
}
