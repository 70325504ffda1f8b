import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { keptSessionKey, type Run, type RunOutcome } from '../../sandbox/domain/run.ts';
import type {
  KeptRunner,
  Runner,
  RunnerAnswer,
  RunnerClient,
  RunnerRefusal,
} from '../../sandbox/domain/runner-ports.ts';
import type { AvailableLanguage, RunCaller } from '../../sandbox/domain/sandbox-pool.ts';
import { logger } from '../../shared/logging.ts';
import { type OpenInput, RunBody } from './run-body.ts';
import { Transfers } from './transfers.ts';

export interface RunnerHttpOptions {
  /** Secret that authenticates the dispatcher. */
  readonly token: () => Promise<string>;
  /** Absent: no program has stored files. */
  readonly open?: OpenInput;
  /** In which a runner must accept or refuse a program. */
  readonly patienceMs: number;
}

/** Time around a run for its directory, cleaning up and the response. */
const RUN_OVERHEAD_MS = 10_000;
const LANGUAGES_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 10_000;

/**
 * Client of the protocol of sandbox/runner/server.ts. The program is sent only after the runner has accepted it (100 Continue): after an
 * earlier failure, nothing has started. Each run has a connection, since a kept-alive one could close during the run. Not fetch, which
 * cannot wait for 100 Continue and gives up on a response after five minutes.
 */
export class RunnerHttp implements RunnerClient {
  readonly #options: RunnerHttpOptions;
  readonly #transfers = new Transfers();

  constructor(options: RunnerHttpOptions) {
    this.#options = options;
  }

  async languages({ url }: Pick<Runner, 'url'>): Promise<readonly AvailableLanguage[]> {
    const request = httpRequest(`${url}/languages`, {
      agent: false,
      headers: await this.#authorization(),
      signal: AbortSignal.timeout(LANGUAGES_TIMEOUT_MS),
    });
    request.end();
    const response = await responseTo(request);
    const body = (await json(response)) as { languages: AvailableLanguage[] };
    if (response.statusCode !== 200) throw new Error(`The runner answered ${response.statusCode}.`);
    return body.languages;
  }

  async run({ url }: Runner, run: Run, caller: RunCaller, accepted: () => void): Promise<RunnerAnswer> {
    const { workspaceId, signal, onOutput } = caller;
    const body = new RunBody(run, this.#options.open ?? (async () => null));
    const headers = {
      ...(await this.#authorization()),
      'x-workspace-id': workspaceId,
      'content-length': body.bytes,
      'x-run-bytes': body.headBytes,
      expect: '100-continue',
      ...(onOutput && { 'x-stream': '1' }),
      ...(run.keptSession !== undefined && { 'x-kept-session': encodeURIComponent(keptSessionKey(run)) }),
    };
    const request = httpRequest(`${url}/runs`, { method: 'POST', agent: false, headers, ...(signal && { signal }) });
    let isAccepted = false;
    let timer = setTimeout(() => request.destroy(new Error('The runner does not answer.')), this.#options.patienceMs);
    request.once('continue', () => {
      isAccepted = true;
      clearTimeout(timer);
      const patienceMs = run.timeoutSeconds * 1000 + RUN_OVERHEAD_MS;
      timer = setTimeout(() => request.destroy(new Error('The runner does not come to an end.')), patienceMs);
      accepted();
      // A failure ends the request, which is waited for.
      const chunks = body.hasStored ? this.#transfers.inTurn(workspaceId, body.chunks()) : body.chunks();
      pipeline(chunks, request).catch(() => undefined);
    });
    request.flushHeaders();
    try {
      const response = await responseTo(request);
      if (response.headers['content-type'] === 'application/x-ndjson') return await streamedAnswer(response, onOutput);
      return answerOf(response, await json(response));
    } catch (error) {
      if (body.failure !== null) throw body.failure;
      if (isAccepted || signal?.aborted) throw error;
      logger().warn('A runner was not reached', { url, error: error as Error });
      return { kind: 'refused', reason: 'unreachable' };
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }

  async endSession({ url, session }: KeptRunner, workspaceId: string): Promise<void> {
    const request = httpRequest(`${url}/session`, {
      method: 'DELETE',
      agent: false,
      headers: {
        ...(await this.#authorization()),
        'x-workspace-id': workspaceId,
        'x-kept-session': encodeURIComponent(session),
      },
      signal: AbortSignal.timeout(END_TIMEOUT_MS),
    });
    request.end();
    const response = await responseTo(request);
    response.resume();
    if (![200, 404].includes(response.statusCode ?? 0)) throw new Error(`The runner answered ${response.statusCode}.`);
  }

  async #authorization(): Promise<{ authorization: string }> {
    return { authorization: `Bearer ${await this.#options.token()}` };
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Also after the response: an 'error' event without a listener would end the process.
    request.on('error', reject);
  });
}

/** @throws on a response that is neither an outcome nor a refusal. */
function answerOf({ statusCode, headers }: IncomingMessage, body: unknown): RunnerAnswer {
  const { kind, reason, error } = body as Partial<RunOutcome & { reason: RunnerRefusal; error: string }>;
  if (statusCode === 200 && isOutcomeKind(kind))
    return { kind: 'ran', outcome: body as RunOutcome, retires: headers['x-runner-retires'] === '1' };
  if ((statusCode === 409 || statusCode === 503) && reason !== undefined) return { kind: 'refused', reason };
  if (statusCode === 422) return { kind: 'refused', reason: 'no_language' };
  throw new Error(`The runner answered ${statusCode}: ${error}`);
}

interface StreamedLine {
  readonly stream?: 'stdout' | 'stderr';
  readonly text?: string;
  readonly outcome?: RunOutcome;
  readonly error?: string;
  readonly retires?: boolean;
}

/** @throws when the stream ends without an outcome */
async function streamedAnswer(response: IncomingMessage, onOutput: RunCaller['onOutput']): Promise<RunnerAnswer> {
  for await (const line of linesOf(response)) {
    const { stream, text = '', outcome, error, retires = false } = JSON.parse(line) as StreamedLine;
    if (stream !== undefined) onOutput?.(stream, text);
    if (outcome !== undefined) return { kind: 'ran', outcome, retires };
    if (error !== undefined) throw new Error(`The runner answered in a stream: ${error}`);
  }
  throw new Error('The runner ended in the middle of a stream.');
}

/** Lines end with a line feed only; all line breaks within a program's output are escaped. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

const isOutcomeKind = (kind: unknown): boolean =>
  kind === 'finished' || kind === 'timed_out' || kind === 'invalid_syntax';
