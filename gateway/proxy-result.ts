import type { OutgoingHttpHeaders } from 'node:http';

export interface HttpResult {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Lambda's maximum response; a longer one is an error of the function. */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

/**
 * Converts a handler's return value to an HTTP response. Throws, naming the member at fault, when API Gateway would call it malformed and
 * answer 502.
 */
export function httpResult(result: unknown): HttpResult {
  if (!isRecord(result)) throw new Error('The handler returned no object with a statusCode');
  const { statusCode, headers = {}, multiValueHeaders = {}, body = '', isBase64Encoded = false } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new Error(`The handler's statusCode is ${String(statusCode)}, not a number from 200 to 599`);
  }
  if (body !== null && typeof body !== 'string') throw new Error("The handler's body is not a string");
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  if (bytes.length > MAX_RESPONSE_BYTES) {
    throw new Error(`The handler's body has ${bytes.length} bytes; Lambda returns at most ${MAX_RESPONSE_BYTES}`);
  }
  return { status, headers: headersOf(headers, multiValueHeaders), body: bytes };
}

function headersOf(single: unknown, multiple: unknown): OutgoingHttpHeaders {
  const all = new Map<string, string | string[]>([['content-type', 'application/json']]);
  for (const [name, value] of Object.entries(isRecord(single) ? single : {}))
    all.set(name.toLowerCase(), String(value));
  for (const [name, values] of Object.entries(isRecord(multiple) ? multiple : {})) {
    if (!Array.isArray(values)) throw new Error(`The handler's multiValueHeaders.${name} is not an array`);
    all.set(name.toLowerCase(), values.map(String));
  }
  // The gateway measures the body itself.
  all.delete('content-length');
  all.delete('transfer-encoding');
  return Object.fromEntries(all);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
