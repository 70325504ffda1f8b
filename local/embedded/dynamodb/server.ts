import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readSigned } from '../json-service.ts';
import { listenOnLoopback, type RunningServer } from '../loopback.ts';
import type { KeyPair } from '../signature-v4.ts';
import type { DynamoDatabase } from './database.ts';
import { DynamoDbError, isServiceError } from './errors.ts';
import type { Input } from './operations.ts';

const API_VERSION = 'DynamoDB_20120810';
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** DynamoDB's JSON protocol over HTTP, so that the AWS SDK talks to the embedded database as it does to AWS. */
export function serveDynamoDb(database: DynamoDatabase, key: KeyPair): Promise<RunningServer> {
  return listenOnLoopback((request, response) => {
    answer(database, request, key).then(
      (output) => send(response, 200, output),
      (error: unknown) => {
        if (isServiceError(error)) return send(response, error.statusCode, error.body);
        console.error('embedded DynamoDB failed:', error);
        return send(response, 500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
      },
    );
  });
}

async function answer(database: DynamoDatabase, request: IncomingMessage, key: KeyPair): Promise<object> {
  const read = await readSigned(request, { name: 'dynamodb', key, maxBodyBytes: MAX_BODY_BYTES });
  if (read.kind === 'refused') throw new DynamoDbError(read.type, read.message);
  if (read.kind === 'too-large')
    throw new DynamoDbError('com.amazon.coral.service#RequestTooLargeException', 'Request too large', {}, 413);
  const [version, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (request.method !== 'POST' || version !== API_VERSION || operation === undefined) {
    throw new DynamoDbError('com.amazon.coral.service#UnknownOperationException', 'Unknown operation');
  }
  return database.execute(operation, parseInput(read.body));
}

function parseInput(body: string): Input {
  try {
    const input: unknown = JSON.parse(body);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Input;
  } catch {
    // Answered below, like any body that is not a JSON object.
  }
  throw new DynamoDbError('com.amazon.coral.service#SerializationException', 'The body is not a JSON object');
}

function send(response: ServerResponse, status: number, output: object): void {
  const body = Buffer.from(JSON.stringify(output));
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amzn-requestid': randomUUID(),
  });
  response.end(body);
}
