import type { IncomingMessage, ServerResponse } from 'node:http';
import type { QueueDefinition } from '../../../functions/shared/resources.ts';
import { readSigned } from '../json-service.ts';
import { listenOnLoopback, type RunningServer } from '../loopback.ts';
import type { KeyPair } from '../signature-v4.ts';
import { isAction, SqsError, sqsActions } from './actions.ts';
import { EmbeddedQueue } from './queue.ts';

export interface NamedQueue extends QueueDefinition {
  readonly name: string;
  readonly deadLetterName: string;
}

export interface EmbeddedSqs extends RunningServer {
  queueUrl(name: string): string;
  deadLettersUrl(name: string): string;
}

/** As SQS has it, of one message and of a batch together. */
const MAX_BODY_BYTES = 1024 * 1024;
const ACCOUNT = '000000000000';

/**
 * SQS in memory, fair by message group: the service's reconcilers queue messages again that a dead process has lost, as they must on AWS
 * too.
 */
export async function startSqs(queues: readonly NamedQueue[], key: KeyPair): Promise<EmbeddedSqs> {
  const named = new Map<string, EmbeddedQueue>();
  const deadLetterNames = new Map<string, string>();
  for (const { name, deadLetterName, maxReceiveCount, ...settings } of queues) {
    const { deadLetterRetentionSeconds: retentionSeconds, visibilityTimeoutSeconds } = settings;
    const deadLetters = new EmbeddedQueue({ visibilityTimeoutSeconds, retentionSeconds, redrive: null });
    named.set(deadLetterName, deadLetters);
    named.set(name, new EmbeddedQueue({ ...settings, redrive: { maxReceiveCount, deadLetters } }));
    deadLetterNames.set(name, deadLetterName);
  }
  const { url, stop } = await listenOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error('embedded SQS failed:', error);
      response.destroy();
    });
  });
  const queueUrl = (name: string) => {
    if (!named.has(name)) throw new Error(`There is no queue ${name}`);
    return `${url}/${ACCOUNT}/${name}`;
  };
  const run = sqsActions({ find: (name) => named.get(name), names: () => [...named.keys()], queueUrl });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const read = await readSigned(request, { name: 'sqs', key, maxBodyBytes: MAX_BODY_BYTES });
    if (read.kind === 'too-large') return send(response, 413, {});
    if (read.kind === 'refused') return send(response, 403, { __type: read.type, message: read.message });
    const action = String(request.headers['x-amz-target'] ?? '').replace(/^AmazonSQS\./, '');
    try {
      if (!isAction(action)) throw new SqsError('UnsupportedOperation', `${action} is not supported here.`);
      send(response, 200, await run[action](JSON.parse(read.body), gone.signal));
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      send(response, 400, { __type: `com.amazonaws.sqs#${error.type}`, message: error.message });
    }
  }

  return {
    url,
    queueUrl,
    deadLettersUrl: (name) => queueUrl(deadLetterNames.get(name) ?? name),
    async stop() {
      for (const queue of named.values()) queue.stop();
      await stop();
    },
  };
}

function send(response: ServerResponse, status: number, output: object): void {
  const body = JSON.stringify(output);
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
