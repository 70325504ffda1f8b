import { objectField, textField } from '../graph/fields.ts';
import { toFile } from '../graph/files.ts';
import type { Json, JsonObject } from '../graph/graph.ts';
import { nodeSeconds } from '../graph/node-seconds.ts';
import { textOf } from '../graph/references.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';
import type { EffectPorts, WebRequest } from './effect-ports.ts';
import { requestBody } from './request-body.ts';

const MAX_RESPONSE_BYTES = 2_900_000;
const MAX_SHOWN_LENGTH = 300;
const PASSING: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/**
 * Requests an address. A request that may change something carries an Idempotency-Key that is the same each time, so that a server which
 * supports it acts once.
 */
export async function requestWeb(
  call: NodeCall,
  signal: AbortSignal,
  { web }: Pick<EffectPorts, 'web'>,
): Promise<NodeResult> {
  const { config, node } = call;
  const method = (textField(config, 'method') || 'GET') as WebRequest['method'];
  const url = addressWith(textField(config, 'url').trim(), objectField(config, 'params'));
  const given = Object.entries(objectField(config, 'headers')).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const isRead = method === 'GET' || method === 'HEAD';
  const body = await requestBody(call, signal, { web });
  const response = await web.request(
    {
      method,
      url,
      headers: {
        ...(body && { 'content-type': body.contentType }),
        ...(!isRead && { 'idempotency-key': effectKey(call) }),
        ...authorization(objectField(config, 'auth')),
        ...Object.fromEntries(given),
        // The boundary of its parts belongs to the body.
        ...(body?.isMultipart && { 'content-type': body.contentType }),
      },
      body: body?.bytes ?? null,
      timeoutMs: nodeSeconds(node) * 1000,
      maxBytes: MAX_RESPONSE_BYTES,
    },
    signal,
  );
  const { status, headers } = response;
  const contentType = headers['content-type'] ?? '';
  const isBinary = BINARY.test(contentType);
  const text = isBinary ? '' : new TextDecoder().decode(response.body);
  if (status >= 400 && config.fail_on_status !== false)
    throw new NodeFailed(
      `http_${status}`,
      `${method} ${addressOf(url)} answered with ${status}: ${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed() || '(no body)'}`,
      { isPassing: PASSING.includes(status) },
    );
  const outputs: JsonObject = {
    status,
    headers,
    text,
    files: isBinary ? [fileOf(response.body, contentType, url)] : [],
  };
  return { outputs };
}

const BINARY = /^(image|audio|video)\/|^application\/(pdf|zip|octet-stream|vnd\.)/i;

function fileOf(bytes: Uint8Array, contentType: string, url: string): Json {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const name = addressOf(url).split('/').at(-1) ?? '';
  return toFile({ url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`, name });
}

/** An address with parameters added, whose values cannot be taken for anything else. */
function addressWith(url: string, params: JsonObject): string {
  const entries = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value]).map((each) => [name, textOf(each)] as const),
  );
  if (entries.length === 0) return url;
  const [address = '', fragment] = url.split('#', 2);
  const query = entries.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const separator = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
  return `${address}${separator}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}

function authorization(auth: JsonObject): Readonly<Record<string, string>> {
  const value = textField(auth, 'value');
  switch (auth.kind) {
    case 'bearer':
      return { authorization: `Bearer ${value}` };
    case 'basic':
      return { authorization: `Basic ${value.includes(':') ? Buffer.from(value).toString('base64') : value}` };
    case 'header':
      return { [(textField(auth, 'header') || 'authorization').toLowerCase()]: value };
    default:
      return {};
  }
}

/** Queries hold keys more often than not. */
function addressOf(url: string): string {
  return url.split('?')[0] ?? url;
}
