import type { IncomingHttpHeaders } from 'node:http';
import type { NeededRight } from '../rights/calls.ts';
import { neededRights } from '../rights/calls.ts';

/** A signed request for AWS, as it arrives at the proxy. */
export interface AwsRequest {
  /** The service in the scope of its signature: `dynamodb`, `s3`, `execute-api`. */
  readonly service: string;
  /** Date, region, service, `aws4_request`. */
  readonly scope: readonly string[];
  /** The function whose credentials signed it. */
  readonly functionId: string;
  readonly rights: readonly NeededRight[];
}

/** Clients of the SDK by the service in the scope of their signatures. */
const CLIENTS: Readonly<Record<string, string>> = {
  dynamodb: 'DynamoDBClient',
  kms: 'KMSClient',
  secretsmanager: 'SecretsManagerClient',
  sqs: 'SQSClient',
};

/** @throws Error for an unsigned request, and for calls that the guard of rights does not know. */
export function awsRequestOf(method: string, target: string, headers: IncomingHttpHeaders, body: Buffer): AwsRequest {
  const url = new URL(target, 'http://aws');
  const credential = /Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1];
  const [, ...scope] = (credential ?? url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const service = scope[2] ?? '';
  const functionId = headers['x-amz-security-token'] ?? url.searchParams.get('X-Amz-Security-Token');
  if (typeof functionId !== 'string') throw new Error(`${method} ${url.pathname} carries no credential of a function.`);
  return { service, scope, functionId, rights: rightsOf(service, method, url, headers, body) };
}

function rightsOf(
  service: string,
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
): readonly NeededRight[] {
  const client = CLIENTS[service];
  if (client !== undefined) {
    const operation = String(headers['x-amz-target']).split('.').at(-1);
    return neededRights(client, `${operation}Command`, JSON.parse(body.toString()));
  }
  switch (service) {
    case 's3':
      return neededRights('S3Client', ...objectCall(method, url, body));
    case 'lambda':
      return neededRights('LambdaClient', 'InvokeCommand', { FunctionName: url.pathname.split('/')[3] });
    case 'execute-api':
      return neededRights('ApiGatewayManagementApiClient', `${CONNECTION_CALLS[method]}ConnectionCommand`, {});
    case 'ses':
      return neededRights('SESv2Client', 'SendEmailCommand', JSON.parse(body.toString()));
    default:
      throw new Error(`The proxy knows no service ${service || '(unsigned)'}: ${method} ${url.pathname}`);
  }
}

const CONNECTION_CALLS: Readonly<Record<string, string>> = { POST: 'PostTo', GET: 'Get', DELETE: 'Delete' };
const OBJECT_CALLS: Readonly<Record<string, string>> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
};

function objectCall(method: string, url: URL, body: Buffer): [command: string, input: Record<string, unknown>] {
  const [, Bucket = '', ...path] = url.pathname.split('/').map(decodeURIComponent);
  const Key = path.join('/');
  if (method === 'POST' && url.searchParams.has('delete')) {
    const Objects = [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => ({ Key: key }));
    return ['DeleteObjectsCommand', { Bucket, Delete: { Objects } }];
  }
  if (method === 'GET' && Key === '') return ['ListObjectsV2Command', { Bucket }];
  return [`${OBJECT_CALLS[method]}Command`, { Bucket, Key }];
}
