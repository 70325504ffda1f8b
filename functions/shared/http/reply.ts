/** A handler's reply: exactly one of `body`, `text` and `frames`, or none of them if the status has no body. */
export type Reply = WholeReply | StreamReply;

export type WholeReply = ReplyHead & {
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as it is, as `text/plain` unless `headers` say otherwise. */
  readonly text?: string;
};

/** Server-sent events. Only an event-stream handler can send them. */
export type StreamReply = ReplyHead & {
  readonly frames: AsyncIterable<Frame>;
  /** True: the head goes out before the first frame is there. */
  readonly startsEarly?: boolean;
};

interface ReplyHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, one header each. */
  readonly cookies?: readonly string[];
}

/** One server-sent event. */
export interface Frame {
  readonly event?: string;
  /** A text goes out as it is, anything else as JSON. */
  readonly data: object | string;
}

/** The response as Lambda returns it, or as it is written to a stream. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: { readonly 'set-cookie': readonly string[] };
  readonly body: string | AsyncIterable<Frame>;
  readonly startsEarly?: boolean;
}

export function httpResponse(reply: Reply): HttpResponse {
  const { contentType, body } = contentOf(reply);
  const { status, headers, cookies = [] } = reply;
  return {
    statusCode: status,
    headers: { ...(contentType && { 'content-type': contentType }), ...streamHeaders(reply), ...headers },
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': cookies } }),
    body,
    ...('frames' in reply && reply.startsEarly && { startsEarly: true }),
  };
}

/** Proxies that collect a stream before they pass it on are asked not to. */
function streamHeaders(reply: Reply): Record<string, string> {
  return { 'cache-control': 'no-store', ...('frames' in reply && { 'x-accel-buffering': 'no' }) };
}

function contentOf(reply: Reply): { readonly contentType?: string; readonly body: HttpResponse['body'] } {
  if ('frames' in reply) return { contentType: 'text/event-stream', body: reply.frames };
  if (reply.body !== undefined) return { contentType: 'application/json', body: JSON.stringify(reply.body) };
  if (reply.text !== undefined) return { contentType: 'text/plain; charset=utf-8', body: reply.text };
  return { body: '' };
}
