import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailed, NotTried } from './reasons.ts';

export interface CallOptions {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isAnonymous?: boolean;
}

export type Client = (method: string, path: string, options?: CallOptions) => Promise<Response>;

/** Ids that later calls need. */
export type Remembered = Map<string, string>;

export interface Check {
  readonly name: string;
  readonly call: (client: Client, remembered: Remembered) => Promise<void>;
}

const POLL_MS = 1_000;
const MAX_POLLS = 120;
const PREFIX = '/api/v1';

/** The calls in their order. @param page a picture in base64. */
export function checks(page: string): readonly Check[] {
  const run = Date.now().toString(36);
  const extract = { body: { image: page }, headers: { 'idempotency-key': `first-deploy-check-${run}` } };
  return [
    answers('health', 'GET', '/health', { isAnonymous: true }),
    answers('description of the API', 'GET', '/openapi.json', { isAnonymous: true }),
    {
      name: 'refusal of a call without a key',
      call: async (client) => {
        const response = await client('GET', `${PREFIX}/balance`, { isAnonymous: true });
        if (response.status !== 401) throw new CallFailed(response.status, 'A call without a key was not refused.');
      },
    },
    answers('balance', 'GET', '/balance'),
    answers('drug list', 'GET', '/drug-master'),
    makes('extraction', 'POST', '/edi-extract-lite/extract', extract, (body) => body.requestId),
    {
      name: 'repetition of the extraction, not charged again',
      call: async (client, remembered) => {
        const body = await jsonOf(await client('POST', `${PREFIX}/edi-extract-lite/extract`, extract));
        if (body.requestId !== idOf(remembered, 'extraction'))
          throw new Error('The same Idempotency-Key was read again.');
      },
    },
    answers('stored extraction', 'GET', '/extractions/{extraction}'),
    answers('link for an upload', 'POST', '/uploads', {
      body: { contentType: 'image/png', contentLength: Buffer.byteLength(page, 'base64') },
    }),
    makes('batch', 'POST', '/edi-extract-lite/extract-batch-async', { body: { images: [page] } }, (body) => body.jobId),
    ends('end of the batch', '/jobs/{batch}', (body) => body.status),
    answers('program', 'POST', '/execute', { body: { language: 'javascript', code: 'console.log(6 * 7)' } }),
    makes(
      'execution',
      'POST',
      '/execute/async',
      { body: { language: 'javascript', code: 'console.log(6 * 7)' } },
      (body) => body.execution_id,
    ),
    ends('end of the execution', '/execute/status/{execution}', (body) => body.status),
    makes('application', 'POST', '/applications', { body: { name: `First check ${run}`, type: 'chat' } }, dataId),
    answers('chat', 'POST', '/chat/{application}/chat/completions', {
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    }),
    makes('knowledge base', 'POST', '/knowledge-bases', { body: { name: `First check ${run}` } }, dataId),
    answers('state of the channels', 'GET', '/webhooks/status'),
    answers('removal of the knowledge base', 'DELETE', '/knowledge-bases/{knowledge base}'),
    answers('removal of the application', 'DELETE', '/applications/{application}'),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: responses of all services.
type Body = any;

const dataId = (body: Body) => body.data.id;

function answers(name: string, method: string, path: string, options?: CallOptions): Check {
  return {
    name,
    call: async (client, remembered) => void (await jsonOf(await client(method, filled(path, remembered), options))),
  };
}

function makes(name: string, method: string, path: string, options: CallOptions, id: (body: Body) => unknown): Check {
  return {
    name,
    async call(client, remembered) {
      const made = id(await jsonOf(await client(method, filled(path, remembered), options)));
      if (typeof made !== 'string') throw new Error('The response names no id.');
      remembered.set(name, made);
    },
  };
}

/** Work that a queue does. */
function ends(name: string, path: string, status: (body: Body) => unknown): Check {
  return {
    name,
    async call(client, remembered) {
      for (let polls = 0; polls < MAX_POLLS; polls++) {
        const state = status(await jsonOf(await client('GET', filled(path, remembered))));
        if (state === 'completed') return;
        if (state === 'failed') throw new Error('It ended as failed: the log group of the service says why.');
        await sleep(POLL_MS);
      }
      throw new Error('It has not ended: look for the messages of its queue, and for DeadLetters in docs/operate.md.');
    },
  };
}

function filled(path: string, remembered: Remembered): string {
  return PREFIX + path.replace(/\{([^}]+)\}/g, (_, name: string) => idOf(remembered, name));
}

function idOf(remembered: Remembered, name: string): string {
  const id = remembered.get(name);
  if (id === undefined) throw new NotTried(`Not tried, since there is no ${name}.`);
  return id;
}

async function jsonOf(response: Response): Promise<Body> {
  const text = await response.text();
  if (response.ok) return text === '' ? null : JSON.parse(text);
  throw new CallFailed(response.status, `${messageOf(text)} (request ${response.headers.get('x-request-id') ?? '-'}).`);
}

function messageOf(text: string): string {
  try {
    const { message, error } = JSON.parse(text);
    return String(message ?? error?.message ?? error ?? text);
  } catch {
    return text.slice(0, 200);
  }
}
