import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback, type RunningServer } from '../loopback.ts';
import type { DynamoDatabase } from './database.ts';
import { DynamoDbError, isServiceError } from './errors.ts';
import type { Input } from './operations.ts';

const API_VERSION = 'DynamoDB_20120810';
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/** DynamoDB's JSON protocol over HTTP, so that the AWS SDK talks to the embedded database as it does to AWS. */
export async function serveDynamoDb(database: DynamoDatabase): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(database, request).then(
      (output) => send(response, 200, output),
      (error: unknown) => {
        if (isServiceError(error)) return send(response, error.statusCode, error.body);
        console.error('embedded DynamoDB failed:', error);
        return send(response, 500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
      },
    );
  });
  return listenOnLoopback(server);
}

async function answer(database: DynamoDatabase, request: IncomingMessage): Promise<object> {
  const [version, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (request.method !== 'POST' || version !== API_VERSION || operation === undefined) {
    throw new DynamoDbError('com.amazon.coral.service#UnknownOperationException', 'Unknown operation');
  }
  return database.execute(operation, parseInput(await readBody(request)));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) {
      throw new DynamoDbError('com.amazon.coral.service#RequestTooLargeException', 'Request too large', {}, 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseInput(body: string): Input {
  try {
    const input: unknown = JSON.parse(body);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Input;
  } catch {
    // Answered below, like any body that is no JSON object.
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
