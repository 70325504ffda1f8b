import type { IncomingMessage, ServerResponse } from 'node:http';
import { workers } from '../../functions/workers.ts';
import { loadHandler } from '../../gateway/handler-modules.ts';
import { FUNCTION_NAME_PREFIX, lambdaContext } from '../../gateway/lambda-context.ts';
import { readSigned } from './json-service.ts';
import { listenOnLoopback, type RunningServer } from './loopback.ts';
import type { KeyPair } from './signature-v4.ts';

/** As Lambda has it of an invocation that is waited for. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;
const PATH = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/;

/** Lambda's Invoke, for the workers of this deployment: a function runs when another one asks for it. */
export function startLambda(key: KeyPair): Promise<RunningServer> {
  return listenOnLoopback((request, response) => {
    answer(request, response, key).catch((error: unknown) => {
      console.error('embedded Lambda failed:', error);
      response.destroy();
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, key: KeyPair): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const read = await readSigned(request, { name: 'lambda', key, maxBodyBytes: MAX_EVENT_BYTES });
  if (read.kind === 'too-large') return send(response, 413, { Message: 'The event is too large.' });
  if (read.kind === 'refused') return send(response, 403, { Message: read.message });
  const name = PATH.exec(request.url ?? '')?.[1];
  const worker = workers.find(({ id }) => name === `${FUNCTION_NAME_PREFIX}-${id.replaceAll('.', '-')}`);
  if (worker === undefined) return send(response, 404, { Message: `There is no function ${name}.` });
  const isWaitedFor = request.headers['x-amz-invocation-type'] !== 'Event';
  if (!isWaitedFor) send(response, 202, null);
  const handler = await loadHandler(worker);
  const deadlineMs = Date.now() + worker.limits.timeoutSeconds * 1000;
  const timeout = AbortSignal.timeout(worker.limits.timeoutSeconds * 1000);
  const signal = isWaitedFor ? AbortSignal.any([gone.signal, timeout]) : timeout;
  try {
    const context = lambdaContext(worker, crypto.randomUUID(), deadlineMs, signal);
    const result = await handler(JSON.parse(read.body), context);
    if (isWaitedFor) send(response, 200, result);
  } catch (error) {
    const { name: errorType, message: errorMessage } = error as Error;
    if (!isWaitedFor || !gone.signal.aborted) console.error(`${worker.id} failed:`, error);
    if (isWaitedFor) send(response, 200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' });
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body ?? null);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text);
}
