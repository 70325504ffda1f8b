import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Signature Version 4 as AWS checks it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

export interface SignedRequest {
  /** Its name in the scope: `s3`, which alone knows presigned addresses. */
  readonly service: string;
  readonly method: string;
  /** Path and query as they were sent, still encoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** SHA-256 of the body in hex, of services to which it is not sent; S3 gets it in a header. */
  readonly payloadHash?: string;
}

export interface KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** S3's error response. */
export interface Refusal {
  readonly status: number;
  readonly code: 'AccessDenied' | 'AuthorizationQueryParametersError' | 'InvalidAccessKeyId' | 'SignatureDoesNotMatch';
  readonly message: string;
}

/** A request's signature, from its Authorization header or, presigned, from its query. */
interface Claim {
  readonly accessKeyId: string;
  /** Date, region, service, `aws4_request`. */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly signedAt: string;
  /** Seconds for which it is valid from then on, and up to which it may be early: clocks differ. */
  readonly validSeconds: number;
  readonly payloadHash: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SKEW_SECONDS = 15 * 60;
const MAX_VALID_SECONDS = 7 * 24 * 60 * 60;

/**
 * Null if the request was signed, unchanged, with this key and is not out of date. The content of a body sent to S3 is not compared with
 * its hash: nothing is between a client on this machine and this server.
 */
export function refusalOf(request: SignedRequest, key: KeyPair, nowMs: number): Refusal | null {
  const [path = '', queryText = ''] = request.target.split('?', 2);
  const query = parameters(queryText);
  const claim = (request.service === 's3' ? presigned(query) : null) ?? authorised(request);
  if (claim === null) return denied('The request is not signed.');
  if (claim === 'malformed') return malformed('The parts of the signature are incomplete or not understood.');
  if (claim.accessKeyId !== key.accessKeyId)
    return { status: 403, code: 'InvalidAccessKeyId', message: 'The access key id is not known here.' };

  const signedMs = timeOf(claim.signedAt);
  const [date = '', , service, end] = claim.scope;
  const { validSeconds } = claim;
  if (
    Number.isNaN(signedMs) ||
    !claim.signedAt.startsWith(date) ||
    service !== request.service ||
    end !== 'aws4_request'
  )
    return malformed('The time of the signature, or its scope, is not understood.');
  if (!Number.isInteger(validSeconds) || validSeconds < 1 || validSeconds > MAX_VALID_SECONDS)
    return malformed(`X-Amz-Expires must be 1 to ${MAX_VALID_SECONDS} seconds.`);
  if (signedMs + validSeconds * 1000 < nowMs) return denied('Request has expired.');
  if (signedMs - SKEW_SECONDS * 1000 > nowMs) return denied('Request is not yet valid.');

  const unsigned = Object.keys(request.headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) return denied(`Headers of the request were not signed: ${unsigned.join(', ')}.`);
  const expected = signatureOf(claim, canonical(request, path, query, claim), key.secretAccessKey);
  if (equal(expected, claim.signature)) return null;
  return {
    status: 403,
    code: 'SignatureDoesNotMatch',
    message: `The request is not the one that was signed. Send exactly the method, address and headers (${claim.signedHeaders.join(', ')}) that it was signed with.`,
  };
}

/** The Authorization header of a request that is sent on behalf of its client, signed with `host` and `x-amz-` headers. */
export function authorizationOf(request: SignedRequest, scope: readonly string[], key: KeyPair): string {
  const [path = '', queryText = ''] = request.target.split('?', 2);
  const signedHeaders = Object.keys(request.headers)
    .filter((name) => name === 'host' || name.startsWith('x-amz-'))
    .sort();
  const claim: Claim = {
    accessKeyId: key.accessKeyId,
    scope,
    signedHeaders,
    signature: '',
    signedAt: String(request.headers['x-amz-date']),
    validSeconds: SKEW_SECONDS,
    payloadHash: request.payloadHash ?? String(request.headers['x-amz-content-sha256']),
  };
  const signature = signatureOf(claim, canonical(request, path, parameters(queryText), claim), key.secretAccessKey);
  return `${ALGORITHM} Credential=${key.accessKeyId}/${scope.join('/')}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
}

function presigned(query: readonly Parameter[]): Claim | 'malformed' | null {
  const values = new Map(query);
  const algorithm = values.get('X-Amz-Algorithm');
  if (algorithm === undefined) return null;
  const [accessKeyId, ...scope] = values.get('X-Amz-Credential')?.split('/') ?? [];
  const signedHeaders = values.get('X-Amz-SignedHeaders')?.split(';');
  const signature = values.get('X-Amz-Signature');
  const signedAt = values.get('X-Amz-Date');
  if (algorithm !== ALGORITHM || !accessKeyId || !signedHeaders || !signature || !signedAt) return 'malformed';
  const validSeconds = Number(values.get('X-Amz-Expires') ?? Number.NaN);
  const payloadHash = values.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
  return { accessKeyId, scope, signedHeaders, signature, signedAt, validSeconds, payloadHash };
}

function authorised({ headers, payloadHash: computed }: SignedRequest): Claim | 'malformed' | null {
  const { authorization } = headers;
  if (authorization === undefined) return null;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]+)$/.exec(
      authorization,
    );
  const signedAt = headers['x-amz-date'];
  const payloadHash = computed ?? headers['x-amz-content-sha256'];
  if (!parts || typeof signedAt !== 'string' || typeof payloadHash !== 'string') return 'malformed';
  const [, accessKeyId = '', scope = '', signedHeaders = '', signature = ''] = parts;
  return {
    accessKeyId,
    scope: scope.split('/'),
    signedHeaders: signedHeaders.split(';'),
    signature,
    signedAt,
    validSeconds: SKEW_SECONDS,
    payloadHash,
  };
}

function canonical(
  { method, headers }: SignedRequest,
  path: string,
  query: readonly Parameter[],
  claim: Claim,
): string {
  const segments = path.split('/').map((segment) => encoded(decoded(segment)));
  const pairs = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const lines = claim.signedHeaders.map(
    (name) => `${name}:${[headers[name] ?? ''].flat().join(',').trim().replace(/ +/g, ' ')}\n`,
  );
  return [
    method,
    segments.join('/'),
    pairs.join('&'),
    lines.join(''),
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
}

function signatureOf({ signedAt, scope }: Claim, canonicalRequest: string, secretAccessKey: string): string {
  const text = [ALGORITHM, signedAt, scope.join('/'), hash('sha256', canonicalRequest)].join('\n');
  return createHmac('sha256', signingKey(scope, secretAccessKey)).update(text).digest('hex');
}

/** The latest signing key of each service: it changes once a day, and takes longer to make than all else here. */
const signingKeys = new Map<string, { readonly madeOf: string; readonly key: KeyObject }>();

function signingKey(scope: readonly string[], secretAccessKey: string): KeyObject {
  const [, , service = ''] = scope;
  const madeOf = [...scope, secretAccessKey].join('/');
  const known = signingKeys.get(service);
  if (known?.madeOf === madeOf) return known.key;
  const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest();
  const key = createSecretKey(scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`) as Buffer);
  signingKeys.set(service, { madeOf, key });
  return key;
}

type Parameter = readonly [name: string, value: string];

/** Not by URLSearchParams: to that a plus is a space, to S3 it is not. */
function parameters(query: string): Parameter[] {
  const given = query.split('&').filter((pair) => pair !== '');
  return given.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decoded(name), decoded(value.join('='))];
  });
}

/** A text that cannot be decoded stays unchanged; it then matches no signature. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `20261101T093000Z` as epoch milliseconds; NaN for any other form. */
function timeOf(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return Number.NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function equal(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function denied(message: string): Refusal {
  return { status: 403, code: 'AccessDenied', message };
}

function malformed(message: string): Refusal {
  return { status: 400, code: 'AuthorizationQueryParametersError', message };
}
