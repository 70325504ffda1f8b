import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../../lib/packaging/paths.ts';
import { applicationOn } from '../helpers/chat.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../helpers/scripted-provider.ts';
import { useService } from '../helpers/service.ts';
import { snippetsOf } from '../helpers/snippets.ts';

/** Each client is built, installed in an empty folder, and used by the program of its README. */

const service = useService();
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const execute = promisify(execFile);
const folders: string[] = [];
let provider: ScriptedProvider;
let applicationId: string;
beforeAll(async () => {
  provider = await scriptedProvider();
  ({ id: applicationId } = await applicationOn(service, provider.baseUrl));
});
afterAll(async () => {
  await provider.stop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A folder with a page to read. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tripod-client-'));
  folders.push(folder);
  await copyFile(join(repository, 'docs/sample-page.png'), join(folder, 'sheet.png'));
  return folder;
}

/** @throws Error with all that was printed */
async function run(cwd: string, command: string, ...parameters: string[]): Promise<string> {
  const webhook = JSON.stringify({ text: '안녕' });
  const signature = new Webhook(SECRET).sign('msg_1', new Date(), webhook);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': signature,
  };
  const env = {
    ...process.env,
    KEY: service.apiKey,
    SIGNING_SECRET: SECRET,
    WEBHOOK: webhook,
    HEADERS: JSON.stringify(headers),
    APPLICATION: applicationId,
  };
  const options = { cwd, env, maxBuffer: 16 * 1024 * 1024 };
  return execute(command, parameters, options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => Promise.reject(new Error(error.stdout + error.stderr)),
  );
}

const works = (command: string, ...parameters: string[]) =>
  execute(command, parameters).then(
    () => true,
    () => false,
  );

/** The package of a client. */
async function built(name: 'typescript' | 'python'): Promise<string> {
  const { stdout } = await execute(process.execPath, ['bin/build-clients.ts', name], { cwd: repository });
  return join(repository, stdout.trim());
}

/** The code of a client's README, for this service. */
async function readme(name: 'typescript' | 'python'): Promise<string> {
  const text = await readFile(join(repository, 'clients', name, 'README.md'), 'utf8');
  const blocks = snippetsOf(text).filter(({ language }) => language !== 'text');
  return blocks.map((block) => block.text.replace('http://127.0.0.1:3000', service.baseUrl)).join('\n');
}

const SHOWN = {
  wrong: 'webhook-signature does not fit the body and the secret.',
  status: 400,
  refusal: expect.stringContaining('timeout'),
  reply: { text: '안녕' },
  large: 200_000,
  krw: expect.any(Number),
};

async function requireChat(baseURL: string): Promise<void> {
  provider.plays(says('Hello'));
  const openai = new OpenAI({ baseURL, apiKey: service.apiKey });
  const answer = await openai.chat.completions.create({ model: 'any', messages: [{ role: 'user', content: 'Hi' }] });
  expect(answer.choices[0]?.message.content).toBe('Hello');
}

describe('the client for TypeScript', () => {
  it('is installed and does what its README says', { timeout: 300_000 }, async ({ skip }) => {
    if (!(await works('npm', 'view', '@hey-api/openapi-ts@0.99.0', 'version'))) return skip('npm reaches no registry');
    const client = await built('typescript');
    const folder = await emptyFolder();
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    await run(folder, 'npm', 'install', '--no-audit', '--no-fund', client);
    const code = (await readme('typescript')).replace('body, request.headers', 'process.env.WEBHOOK!, sent');
    const program = `
${code.replace('import { verifyWebhook }', 'const sent = JSON.parse(process.env.HEADERS!);\nimport { verifyWebhook }')}
import { accountsGetBalance } from 'tripod-client/api';
import { TripodError } from 'tripod-client';
const balance = await accountsGetBalance({ client: tripod.client });
let wrong = '';
try { verifyWebhook(process.env.WEBHOOK + ' ', sent, process.env.SIGNING_SECRET!); } catch (error) { wrong = String((error as Error).message); }
const refused = await tripod.runProgram({ language: 'python', code: '1', timeout: 0 }).catch((error: TripodError) => error);
const large = await tripod.runProgram({
  language: 'python', code: 'open("out/copy.bin", "wb").write(open("large.bin", "rb").read())',
  files: { 'large.bin': new Uint8Array(200_000) },
});
if (!(refused instanceof TripodError)) throw new Error('not refused');
console.log(JSON.stringify({
  wrong, status: refused.status, refusal: refused.message, reply, large: large.files['copy.bin']!.length,
  krw: balance.data!.balanceKrw, chat: tripod.chatBaseUrl(process.env.APPLICATION!),
}));`;
    await writeFile(join(folder, 'main.ts'), program);
    const tools = join(repository, 'dist/clients/typescript/node_modules');
    const types = ['--types', 'node', '--typeRoots', join(tools, '@types')];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...types];
    await run(folder, join(tools, '.bin/tsc'), ...options, 'main.ts');
    const lines = (await run(folder, process.execPath, 'main.ts')).trim().split('\n');
    expect(lines.filter((line) => /^\d{9} .* (GREEN|YELLOW|RED)$/.test(line)).length).toBeGreaterThan(0);
    expect(lines).toContain(' 142');
    const { chat, ...shown } = JSON.parse(lines.at(-1)!);
    expect(shown).toEqual(SHOWN);
    await requireChat(chat);
  });
});

describe('the client for Python', () => {
  it('is installed and does what its README says', { timeout: 300_000 }, async ({ skip }) => {
    const folder = await emptyFolder();
    if (!(await works('python3', '-m', 'venv', join(folder, 'venv'))))
      return skip('Python makes no virtual environment');
    const patience = ['--retries', '0', '--timeout', '20'];
    const download = ['download', '-q', ...patience, '--no-deps', '-d', folder, 'openapi-python-client==0.29.1'];
    if (!(await works(join(folder, 'venv/bin/pip'), ...download)))
      return skip('pip downloads no openapi-python-client');
    const client = await built('python');
    await run(folder, 'venv/bin/pip', 'install', '--quiet', client);
    const code = (await readme('python')).replace('verify_webhook(body, headers,', 'verify_webhook(body, sent,');
    const program = `import json, os
body, sent = os.environ["WEBHOOK"], json.loads(os.environ["HEADERS"])
${code}
from tripod_client import TripodError, WebhookRefused
from tripod_client.generated.api.accounts import accounts_get_balance
balance = accounts_get_balance.sync(client=tripod.client)
try: verify_webhook(body + " ", sent, os.environ["SIGNING_SECRET"])
except WebhookRefused as error: wrong = str(error)
try: tripod.run_program("python", "1", timeout=0)
except TripodError as error: refused = error
large = tripod.run_program("python", 'open("out/copy.bin", "wb").write(open("large.bin", "rb").read())', files={"large.bin": bytes(200_000)})
print(json.dumps({
    "wrong": wrong, "status": refused.status, "refusal": str(refused), "reply": reply,
    "large": len(large.files["copy.bin"]), "krw": balance.balance_krw,
    "chat": tripod.chat_base_url(os.environ["APPLICATION"]),
}))`;
    await writeFile(join(folder, 'main.py'), program);
    const lines = (await run(folder, 'venv/bin/python', 'main.py')).trim().split('\n');
    expect(lines.filter((line) => /^\d{9} .* (GREEN|YELLOW|RED)$/.test(line)).length).toBeGreaterThan(0);
    expect(lines.at(-2)).toMatch(/^name,price.*|b'142'$/);
    const { chat, ...shown } = JSON.parse(lines.at(-1)!);
    expect(shown).toEqual(SHOWN);
    await requireChat(chat);
  });
});

it('no generated code of the clients is in the repository', async () => {
  for (const name of ['typescript', 'python']) {
    const files = await readdir(join(repository, 'clients', name), { recursive: true });
    expect(files.filter((file) => /generated|openapi\.json/.test(file))).toEqual([]);
  }
});
