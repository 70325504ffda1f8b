/** Talks with an application in the terminal: see USAGE. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { serverSentEvents } from '../functions/adapters/chat/sse-events.ts';
import { readCredentials } from '../local/credentials.ts';
import { announced } from '../local/running-service.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run chat -- <application> [--url http://127.0.0.1:3000] [--key <API key>] [--session <name>]

  <application>  name or id of an application of the workspace, or a public access token
  --url, --key   a service elsewhere (default: the one that runs on TRIPOD_DATA_DIR, else .local, with its demo key)
  --session      continues a conversation (default: a new one)

Each line is a message; an empty line or Ctrl+D ends the conversation. Tool calls are shown in brackets.`;

await runCommand(USAGE, run);

interface Service {
  readonly url: string;
  readonly key: string;
}

interface Chunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string | null } }[];
  readonly event?: {
    readonly type: string;
    readonly name?: string;
    readonly status?: string;
    readonly message?: string;
  };
  readonly error?: { readonly message: string };
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string' }, key: { type: 'string' }, session: { type: 'string' } },
  });
  const [application, ...more] = positionals;
  if (application === undefined || more.length > 0) throw new UsageError('Name exactly one application.');
  const service = await serviceOf(values);
  const id = await idOf(service, application);
  const session = values.session ?? `terminal ${new Date().toISOString()}`;
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  let isOpen = true;
  terminal.once('close', () => {
    isOpen = false;
  });
  // Lines that were there before the input ended are still to be answered.
  const prompt = () => (isOpen ? terminal.prompt() : process.stdout.write(terminal.getPrompt()));
  prompt();
  for await (const line of terminal) {
    if (line.trim() === '') break;
    await answer(service, id, session, line);
    prompt();
  }
  terminal.close();
}

async function serviceOf({ url, key }: { url?: string | undefined; key?: string | undefined }): Promise<Service> {
  const dataDirectory = process.env.TRIPOD_DATA_DIR || '.local';
  const running = url ?? (await announced(dataDirectory))?.url;
  if (running === undefined)
    throw new UsageError(`No service runs on ${dataDirectory}. Start it with npm start, or name one with --url.`);
  return { url: running.replace(/\/+$/, ''), key: key ?? (await readCredentials(dataDirectory))?.apiKey ?? '' };
}

/** Of an application that is named; anything else is taken for an id, or a token. */
async function idOf({ url, key }: Service, application: string): Promise<string> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${url}/api/v1/applications?limit=100${query}`, { headers: { 'x-api-key': key } });
    if (!response.ok) return application;
    const { data } = (await response.json()) as {
      data: { applications: { id: string; name: string }[]; next_cursor: string | null };
    };
    const found = data.applications.find(({ name }) => name === application);
    if (found) return found.id;
    cursor = data.next_cursor;
  }
  return application;
}

async function answer({ url, key }: Service, id: string, session: string, content: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/chat/${encodeURIComponent(id)}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-session-id': session,
      'x-stream-events': 'data',
      ...(key !== '' && { 'x-api-key': key }),
    },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content }] }),
  });
  if (!response.ok || response.body === null) {
    const { message } = (await response.json()) as { message: string };
    console.log(`[${message}]`);
    return;
  }
  for await (const { data } of serverSentEvents(response.body)) {
    if (data === '[DONE]') break;
    const { choices = [], event, error } = JSON.parse(data) as Chunk;
    if (error) process.stdout.write(`[${error.message}]`);
    else if (event) process.stdout.write(noted(event));
    else process.stdout.write(choices[0]?.delta.content ?? '');
  }
  process.stdout.write('\n');
}

function noted({ type, name, status, message }: NonNullable<Chunk['event']>): string {
  if (type === 'tool_call_started') return `[${name} …`;
  if (type === 'tool_call_finished') return ` ${status}]\n`;
  return type === 'retry' ? `[${message}]\n` : '';
}
