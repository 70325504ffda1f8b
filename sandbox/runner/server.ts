import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { LANGUAGES, type Run, type RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { Installed } from './installed-languages.ts';
import { LanguageMissing } from './runner.ts';

export interface RunnerServerOptions {
  readonly installed: () => Installed;
  readonly run: (run: Run, signal: AbortSignal) => Promise<RunOutcome>;
  /** Every request must carry it as a bearer token. */
  readonly token: string;
}

/** What a run may hold, told again: the dispatcher has checked it, but a task believes nobody. */
const runSchema = z.strictObject({
  language: z.enum(LANGUAGES),
  code: z.string(),
  stdin: z.string(),
  environment: z.record(z.string(), z.string()),
  timeoutSeconds: z.number().positive().max(300),
  resources: z.strictObject({
    cpu: z.int().min(1).max(2),
    memoryMb: z.int().min(1).max(2048),
    diskMb: z.int().min(1).max(1024),
  }),
});

/** Code of 1 MiB and input of 4 MiB, in JSON: a control character becomes six. */
const MOST_BODY_BYTES = 32 * 1024 * 1024;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The protocol between the dispatcher and a runner. `GET /languages`: what it runs. `POST /runs`: one run, answered by its
 * outcome; 409 while another one is under way, 422 when the language is not installed; a caller that hangs up ends its run.
 */
export function runnerServer({ installed, run, token }: RunnerServerOptions): Server {
  let busy = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.headers.authorization !== `Bearer ${token}`) throw new Refused(401, 'The token is wrong.');
    switch (`${request.method} ${request.url}`) {
      case 'GET /languages':
        return { languages: installed().languages.map(({ name, version }) => ({ name, version })) };
      case 'POST /runs':
        return await alone(request, response);
      default:
        throw new Refused(404, 'There is GET /languages and POST /runs.');
    }
  }

  async function alone(request: IncomingMessage, response: ServerResponse): Promise<RunOutcome> {
    if (busy) throw new Refused(409, 'Another run is under way.');
    busy = true;
    try {
      const order = await readRun(request);
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      return await run(order, gone.signal);
    } finally {
      busy = false;
    }
  }

  return createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        // What is left of the body is not worth reading.
        request.resume();
        send(response, statusOf(error), { error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
}

function statusOf(error: unknown): number {
  if (error instanceof Refused) return error.status;
  return error instanceof LanguageMissing ? 422 : 500;
}

async function readRun(request: IncomingMessage): Promise<Run> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new Refused(413, 'The run is too large.');
    chunks.push(chunk);
  }
  try {
    return runSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch (cause) {
    throw new Refused(400, `This is no run: ${(cause as Error).message}`);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}
