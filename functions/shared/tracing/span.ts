/** Values that carry no text of users: names of models and routes, counts, codes. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface SpanOptions {
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** W3C `traceparent` of the caller in another function; absent: the span that is running, or none. */
  readonly parent?: string | undefined;
}

export interface Span {
  set(attributes: Attributes): void;
  /** @param code a stable code, which the field `error.type` of OpenTelemetry has. */
  fail(code: string): void;
}

/** The stable code of an error: never its message, which may hold a text of users. */
export function errorType(error: unknown): string {
  const { code, name } = error as { readonly code?: string; readonly name: string };
  return code ?? name;
}
