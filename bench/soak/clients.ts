import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalService } from '../local-service.ts';

/** One thing that a client does, over and over. */
export interface Client {
  readonly name: string;
  /** Time from one to the next. */
  readonly everyMs: number;
  /** @throws Error for an answer that it should not get. */
  readonly act: () => Promise<void>;
}

const PASSWORD = 'correct horse battery';
const EMAIL = 'soak@example.com';
const SESSIONS = 10;
const MAX_WAIT_MS = 600_000;

/** Clients of one workspace, of every service but channels, those that err and those that leave among them. */
export async function clientsOf({ url, key, api }: Workspace): Promise<readonly Client[]> {
  const image = await readFile(new URL('../../docs/sample-page.png', import.meta.url), 'base64');
  const blank = await readFile(new URL('../../test/fixtures/pages/negative-002.jpg', import.meta.url), 'base64');
  const base = await api('POST', '/knowledge-bases', { name: 'Soak' });
  const application = await api('POST', '/applications', {
    name: 'Soak',
    type: 'chat',
    config: { knowledge_bases: [base.data.id] },
  });
  const workflow = await api('POST', '/workflows', { name: 'Soak', graph: GREETING });
  await api('POST', `/workflows/${workflow.data.id}/versions`, {});
  const completions = `/chat/${application.data.id}/chat/completions`;
  const refused = async (status: number, path: string, body: object | string) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path} was answered with ${response.status} for ${status}`);
  };
  const question = () => ({ messages: [{ role: 'user', content: `When are you open? ${randomUUID()}` }] });

  return [
    {
      name: 'balance',
      everyMs: 100,
      act: async () => void (await api('GET', '/balance')),
    },
    {
      name: 'page',
      everyMs: 15_000,
      act: async () => {
        const { requestId } = await api('POST', '/edi-extract-lite/extract', { image });
        await api('GET', `/extractions/${requestId}`);
      },
    },
    {
      name: 'batch',
      everyMs: 60_000,
      act: async () => {
        const { jobId } = await api('POST', '/edi-extract-lite/extract-batch-async', { images: [image, blank] });
        await until(async () => (await api('GET', `/jobs/${jobId}`)).completedAt !== null);
      },
    },
    {
      name: 'program',
      everyMs: 2_000,
      act: async () => void (await api('POST', '/execute', { language: 'python', code: 'print("x" * 100_000)' })),
    },
    {
      name: 'endless program',
      everyMs: 10_000,
      act: () => refused(500, '/execute', { language: 'javascript', code: 'for (;;);', timeout: 1 }),
    },
    {
      name: 'queued program',
      everyMs: 5_000,
      act: async () => {
        const queued = await api('POST', '/execute/async', { language: 'python', code: 'print(1)' });
        const path = `/execute/status/${queued.execution_id}`;
        await until(async () => !['pending', 'running'].includes((await api('GET', path)).status));
      },
    },
    {
      name: 'completion',
      everyMs: 1_000,
      act: async () => {
        const session = { 'x-session-id': `session-${Math.floor(Math.random() * SESSIONS)}` };
        await api('POST', completions, question(), session);
      },
    },
    {
      name: 'stream that is left',
      everyMs: 2_000,
      act: async () => {
        const leaving = new AbortController();
        const response = await fetch(`${url}/api/v1${completions}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify({ ...question(), stream: true }),
          signal: leaving.signal,
        });
        await response.body!.getReader().read();
        leaving.abort();
      },
    },
    {
      name: 'document',
      everyMs: 10_000,
      act: async () => {
        const text = `# Hours\n\nWe are open from nine to six. ${randomUUID()}`;
        const documents = `/knowledge-bases/${base.data.id}/documents`;
        const { data } = await api('POST', documents, { title: 'Hours', text, content_type: 'text/markdown' });
        await until(async () => (await api('GET', `${documents}/${data.id}`)).data.status === 'ready');
        await api('DELETE', `${documents}/${data.id}`);
      },
    },
    {
      name: 'workflow',
      everyMs: 2_000,
      act: async () => void (await api('POST', `/workflows/${workflow.data.id}/run`, { query: 'Soak' })),
    },
    {
      name: 'login',
      everyMs: 30_000,
      act: async () => {
        const { data } = await api('POST', '/auth/login', { email: EMAIL, password: PASSWORD });
        await api('POST', '/auth/refresh', { refresh_token: data.refresh_token });
      },
    },
    {
      name: 'error',
      everyMs: 1_000,
      act: () => refused(400, '/execute', '{'),
    },
  ];
}

const GREETING = {
  nodes: [
    { id: 'start', type: 'start', data: { title: 'Start', config: { fields: [] } } },
    {
      id: 'greet',
      type: 'template',
      data: { title: 'Greet', inputs: { name: '{{sys.query}}' }, config: { template: 'Hello {{ name }}' } },
    },
    { id: 'answer', type: 'answer', data: { title: 'Answer', config: { text: '{{greet.text}}' } } },
  ],
  edges: [
    { id: 'a', source: 'start', target: 'greet' },
    { id: 'b', source: 'greet', target: 'answer' },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: answers of many forms.
type Answer = any;

/** A workspace that its clients call with its key. */
export interface Workspace {
  readonly url: string;
  readonly key: string;
  readonly api: (method: string, path: string, body?: object, headers?: object) => Promise<Answer>;
}

export async function newWorkspace({ url }: Pick<LocalService, 'url'>): Promise<Workspace> {
  const call = async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const registered = await call('POST', '/auth/register', { email: EMAIL, password: PASSWORD, workspace_name: 'Soak' });
  const { key } = registered.data.api_key;
  const api = (method: string, path: string, body?: object, headers: object = {}) =>
    call(method, path, body, { 'x-api-key': key, ...headers });
  await api('POST', '/balance/top-ups', { amountKrw: 100_000_000, reference: 'soak' });
  return { url, key, api };
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpMs = Date.now() + MAX_WAIT_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpMs) throw new Error('work in the background never ended');
    await sleep(500);
  }
}
