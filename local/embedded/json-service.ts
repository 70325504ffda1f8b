import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type KeyPair, type Refusal, refusalOf } from './signature-v4.ts';

/** An AWS service that speaks JSON: DynamoDB, SQS. */
export interface JsonService {
  /** Its name in the scope of signatures. */
  readonly name: string;
  readonly key: KeyPair;
  readonly maxBodyBytes: number;
}

export type JsonRequest =
  | { readonly kind: 'signed'; readonly body: string }
  | { readonly kind: 'refused'; readonly type: string; readonly message: string }
  | { readonly kind: 'too-large' };

/** The service's error type for each refusal, by S3's code. */
const types: Readonly<Record<Refusal['code'], string>> = {
  AccessDenied: 'AccessDeniedException',
  AuthorizationQueryParametersError: 'IncompleteSignatureException',
  InvalidAccessKeyId: 'UnrecognizedClientException',
  SignatureDoesNotMatch: 'InvalidSignatureException',
};

/** Reads a request, and checks that it was signed with the service's key, body included. */
export async function readSigned(request: IncomingMessage, service: JsonService): Promise<JsonRequest> {
  const body = await readBytes(request, service.maxBodyBytes);
  if (body === undefined) return { kind: 'too-large' };
  const { method = '', url: target = '', headers } = request;
  const payloadHash = hash('sha256', body);
  const refusal = refusalOf({ method, target, headers, service: service.name, payloadHash }, service.key, Date.now());
  if (refusal === null) return { kind: 'signed', body: body.toString('utf8') };
  return { kind: 'refused', type: `com.amazon.coral.service#${types[refusal.code]}`, message: refusal.message };
}

/** Undefined when it is longer than that. */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
