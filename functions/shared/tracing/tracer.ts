import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { environment } from '../environment.ts';
import { logger } from '../logging.ts';
import { withoutTrailingSlashes } from '../without-trailing-slashes.ts';
import { type Attributes, errorType, type Span, type SpanOptions } from './span.ts';

/** Numbers of OTLP for the kinds of spans. */
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
const STATUS_ERROR = 2;
/** A collector that does not answer must not hold up responses. */
const EXPORT_TIMEOUT_MS = 1_000;
/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

interface Context {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Ended spans of this invocation. */
  readonly ended: object[];
}

export interface BegunSpan extends Span {
  end(): void;
}

export interface Tracer {
  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  begin(name: string, options: SpanOptions): BegunSpan;
  traceparent(): string | undefined;
}

/**
 * Spans in OTLP/HTTP with JSON, as collectors of OpenTelemetry take them. By hand: the SDK and its exporter would add 300 KB to the
 * bundle of each function, for one kind of request.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
 */
export class OtlpTracer implements Tracer {
  readonly #url: string;
  readonly #running = new AsyncLocalStorage<Context>();

  /** @param endpoint without `/v1/traces`, as OTEL_EXPORTER_OTLP_ENDPOINT. */
  constructor(endpoint: string) {
    this.#url = `${withoutTrailingSlashes(endpoint)}/v1/traces`;
  }

  async inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const outer = this.#running.getStore();
    const { context, span } = this.#start(name, options);
    try {
      return await this.#running.run(context, () => work(span));
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
      if (outer === undefined) await this.#export(context.ended);
    }
  }

  begin(name: string, options: SpanOptions): BegunSpan {
    return this.#start(name, options).span;
  }

  traceparent(): string | undefined {
    const context = this.#running.getStore();
    return context && `00-${context.traceId}-${context.spanId}-${context.isSampled ? '01' : '00'}`;
  }

  #start(name: string, { kind, attributes = {}, parent }: SpanOptions): { context: Context; span: BegunSpan } {
    const outer = this.#running.getStore();
    const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(parent ?? '') ?? [];
    const context: Context = {
      traceId: traceId ?? outer?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      isSampled: flags === undefined ? (outer?.isSampled ?? true) : (Number.parseInt(flags, 16) & 1) === 1,
      ended: outer?.ended ?? [],
    };
    const startMs = Date.now();
    const startedMs = performance.now();
    let all: Attributes = attributes;
    let failure: string | undefined;
    const span: BegunSpan = {
      set(more) {
        all = { ...all, ...more };
      },
      fail(code) {
        failure = code;
      },
      end() {
        if (!context.isSampled) return;
        context.ended.push({
          traceId: context.traceId,
          spanId: context.spanId,
          ...definedParent(parentSpanId ?? outer?.spanId),
          name,
          kind: KINDS[kind],
          startTimeUnixNano: nanoseconds(startMs),
          endTimeUnixNano: nanoseconds(startMs + performance.now() - startedMs),
          attributes: keyValues({ ...all, ...(failure !== undefined && { 'error.type': failure }) }),
          status: failure === undefined ? {} : { code: STATUS_ERROR },
        });
      },
    };
    return { context, span };
  }

  async #export(spans: readonly object[]): Promise<void> {
    if (spans.length === 0) return;
    const body = { resourceSpans: [{ resource: resource(), scopeSpans: [{ scope: { name: 'tripod' }, spans }] }] };
    try {
      const { status } = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
      });
      if (status >= 300) logger().warn('The collector of traces refused spans', { status });
    } catch (error) {
      logger().warn('Spans could not be sent', { error: error as Error });
    }
  }
}

function definedParent(parentSpanId: string | undefined): object {
  return parentSpanId === undefined ? {} : { parentSpanId };
}

function resource(): object {
  const { SERVICE_VERSION, POWERTOOLS_SERVICE_NAME } = environment('SERVICE_VERSION', 'POWERTOOLS_SERVICE_NAME');
  const { AWS_LAMBDA_FUNCTION_NAME: name } = process.env;
  return {
    attributes: keyValues({
      'service.name': POWERTOOLS_SERVICE_NAME ?? 'tripod',
      'service.version': SERVICE_VERSION,
      ...(name !== undefined && { 'faas.name': name }),
    }),
  };
}

/** In JSON, OTLP has 64-bit numbers as texts. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Attributes[string]): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  }
}
