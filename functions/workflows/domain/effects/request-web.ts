import { objectField, textField } from '../graph/fields.ts';
import type { Json, JsonObject } from '../graph/graph.ts';
import { nodeSeconds } from '../run/drive-run.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';
import type { EffectPorts, WebRequest } from './effect-ports.ts';

const MAX_RESPONSE_BYTES = 200_000;
const MAX_SHOWN_LENGTH = 300;
const PASSING: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/**
 * Requests an address. Whatever changes something goes out with an Idempotency-Key that is the same each time, so that a
 * server which knows it does it once.
 */
export async function requestWeb(
  call: NodeCall,
  signal: AbortSignal,
  { web }: Pick<EffectPorts, 'web'>,
): Promise<NodeResult> {
  const { config, node } = call;
  const method = (textField(config, 'method') || 'GET') as WebRequest['method'];
  const url = textField(config, 'url').trim();
  const given = Object.entries(objectField(config, 'headers')).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const body = config.body ?? null;
  const isRead = method === 'GET' || method === 'HEAD';
  const response = await web.request(
    {
      method,
      url,
      headers: {
        ...(body !== null && typeof body !== 'string' && { 'content-type': 'application/json' }),
        ...(body !== null && typeof body === 'string' && { 'content-type': 'text/plain; charset=utf-8' }),
        ...(!isRead && { 'idempotency-key': effectKey(call) }),
        ...Object.fromEntries(given),
      },
      body: body === null ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      timeoutMs: nodeSeconds(node) * 1000,
      maxBytes: MAX_RESPONSE_BYTES,
    },
    signal,
  );
  const { status, headers } = response;
  const text = new TextDecoder().decode(response.body);
  if (status >= 400)
    throw new NodeFailed(
      `http_${status}`,
      `${method} ${addressOf(url)} answered with ${status}: ${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed() || '(no body)'}`,
      { isPassing: PASSING.includes(status) },
    );
  const outputs: JsonObject = { status, headers, body: bodyOf(text, headers['content-type'] ?? ''), text };
  return { outputs };
}

/** JSON where it is declared as JSON, and is some. */
function bodyOf(text: string, contentType: string): Json {
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Queries hold keys more often than not. */
function addressOf(url: string): string {
  return url.split('?')[0] ?? url;
}
