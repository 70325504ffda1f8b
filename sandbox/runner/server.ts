import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { keptSessionKey, type RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { RunnerRefusal } from '../../functions/sandbox/domain/runner-ports.ts';
import type { AvailableLanguage } from '../../functions/sandbox/domain/sandbox-pool.ts';
import type { OutputListener } from './launch.ts';
import { OutputLines } from './output-lines.ts';
import { type ReceivedRun, readRun } from './read-run.ts';
import { Refused } from './refused.ts';
import { LanguageMissing, LanguagePreparing } from './runner.ts';
import type { Tenancy, TenancyRefusal } from './tenancy.ts';

export interface RunnerServerOptions {
  readonly languages: () => readonly AvailableLanguage[];
  readonly run: (run: ReceivedRun, signal: AbortSignal, onOutput?: OutputListener) => Promise<RunOutcome>;
  /** Every request must carry it as a bearer token. */
  readonly token: string;
  /** Before a run; null: it is another runner's turn. What it gives ends the turn. */
  readonly takeTurn?: () => Promise<(() => Promise<void>) | null>;
  /** Ends the session that is kept. */
  readonly endSession?: () => Promise<void>;
  /** Whether a session can be kept apart from what other runners do. */
  readonly keepsSessions?: boolean;
  readonly tenancy: Tenancy;
  /** Called when the last response is out. */
  readonly onDrained: () => void;
}

const REFUSALS: Readonly<Record<TenancyRefusal, string>> = {
  busy: 'Another run is under way.',
  other_workspace: 'This runner belongs to another workspace.',
  retired: 'This runner takes no more runs.',
};

const NO_TURNS = async () => async () => undefined;

/**
 * The protocol between the dispatcher and a runner. `GET /health`, without a token: that it answers. `GET /languages`: what it
 * runs. `POST /runs` with `x-workspace-id`: one run, answered by its outcome; with `x-runner-retires: 1` where it was the last
 * one. 409 with a `reason` when the runner does not take it; 422 when the language is not installed, 503
 * with a `reason` when it is not prepared yet; a caller that hangs up
 * ends its run. A caller that sends `expect: 100-continue` gets 100 when the run is accepted, before it sends the body:
 * until then nothing can have started. The body is JSON of `x-run-bytes`, then the stored files. A run of a kept session says so in `x-kept-session`, as `DELETE /session` does, which ends it. A caller that sends `x-stream: 1` gets the output as lines of JSON while the program runs, if there
 * is any, `{stream, text}` each, and then one with `outcome` or `error`, and `retires`.
 */
export function runnerServer({
  languages,
  run,
  token,
  takeTurn = NO_TURNS,
  endSession = async () => undefined,
  keepsSessions = false,
  tenancy,
  onDrained,
}: RunnerServerOptions): Server {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<object> {
    // Open to all, so it says nothing else.
    if (request.url === '/health') return {};
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Refused(401, 'The token is wrong.');
    switch (`${request.method} ${request.url}`) {
      case 'GET /languages':
        return { languages: languages() };
      case 'POST /runs':
        return await acceptRun(request, response);
      case 'DELETE /session':
        return await removeSession(request);
      default:
        throw new Refused(404, 'There is GET /languages, POST /runs and DELETE /session.');
    }
  }

  async function acceptRun(request: IncomingMessage, response: ServerResponse): Promise<RunOutcome> {
    const workspaceId = request.headers['x-workspace-id'];
    if (typeof workspaceId !== 'string') throw new Refused(400, 'x-workspace-id says whose run it is.');
    const session = sessionOf(request);
    if (session !== null && !keepsSessions)
      throw new Refused(409, 'Sessions cannot be kept apart on this machine.', 'no_sessions');
    const refusal = tenancy.acquire(workspaceId, session);
    if (refusal !== null) throw new Refused(409, REFUSALS[refusal], refusal);
    let ended: RunOutcome | Error | null = null;
    let endTurn: (() => Promise<void>) | null = null;
    try {
      endTurn = await takeTurn();
      if (endTurn === null) throw new Refused(409, REFUSALS.busy, 'busy');
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      if (request.headers.expect !== undefined) response.writeContinue();
      const accepted = await readRun(request);
      if (session !== (accepted.keptSession === undefined ? null : keptSessionKey(accepted)))
        throw new Refused(400, 'x-kept-session says which session keeps the run.');
      const lines = request.headers['x-stream'] === '1' ? new OutputLines(response) : null;
      try {
        ended = await run(accepted, gone.signal, lines?.listen);
        return ended;
      } catch (error) {
        if (!(error instanceof LanguageMissing || error instanceof LanguagePreparing)) ended = error as Error;
        throw error;
      }
    } finally {
      await endTurn?.();
      tenancy.release(ended);
      if (tenancy.isDraining) announceEnd(response);
    }
  }

  async function removeSession(request: IncomingMessage): Promise<object> {
    const workspaceId = request.headers['x-workspace-id'];
    const session = sessionOf(request);
    if (typeof workspaceId !== 'string' || session === null || !tenancy.keeps(workspaceId, session))
      throw new Refused(404, 'This runner keeps no such session.');
    await endSession();
    return {};
  }

  function announceEnd(response: ServerResponse): void {
    if (!response.closed && !response.headersSent) response.setHeader('x-runner-retires', '1');
    if (response.closed) onDrained();
    else response.once('close', onDrained);
  }

  const receive = (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response).then(
      (body) => send(response, 200, body, tenancy.isDraining),
      (error: unknown) => {
        // The rest of the body is not needed.
        request.resume();
        const reason = reasonOf(error);
        const message = error instanceof Error ? error.message : String(error);
        send(response, statusOf(error), { error: message, ...(reason !== null && { reason }) }, tenancy.isDraining);
      },
    );
  };
  return createServer({ requestTimeout: 30_000 }, receive).on('checkContinue', receive);
}

/** The key of the kept session that a request is about. */
function sessionOf({ headers }: IncomingMessage): string | null {
  const session = headers['x-kept-session'];
  if (typeof session !== 'string') return null;
  try {
    return decodeURIComponent(session);
  } catch {
    throw new Refused(400, 'x-kept-session is not percent-encoded.');
  }
}

/** Compares in constant time. */
function isSame(actual: string, expected: string): boolean {
  const [a, b] = [actual, expected].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

function statusOf(error: unknown): number {
  if (error instanceof Refused) return error.status;
  if (error instanceof LanguagePreparing) return 503;
  return error instanceof LanguageMissing ? 422 : 500;
}

function reasonOf(error: unknown): RunnerRefusal | null {
  if (error instanceof LanguagePreparing) return 'preparing';
  return error instanceof Refused ? error.reason : null;
}

function send(response: ServerResponse, status: number, body: object, retires: boolean): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.end(`${JSON.stringify(status === 200 ? { outcome: body, retires } : { ...body, retires })}\n`);
    return;
  }
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}
