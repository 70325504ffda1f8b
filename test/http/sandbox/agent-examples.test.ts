import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applicationOn } from '../../helpers/chat.ts';
import { sandboxService } from '../../helpers/sandbox.ts';
import { callsTool, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';

/** The programs of `examples/agents`, as their readers run them. */

const service = sandboxService();
let provider: ScriptedProvider;
let chat: string;
beforeAll(async () => {
  provider = await scriptedProvider();
  const { id } = await applicationOn(service, provider.baseUrl);
  chat = `${service.baseUrl}/api/v1/chat/${id}`;
});
afterAll(() => provider.stop());

async function run(file: string, ...parameters: string[]): Promise<string> {
  const env = {
    ...process.env,
    TRIPOD_URL: service.baseUrl,
    KEY: service.apiKey,
    OPENAI_API_KEY: service.apiKey,
    OPENAI_BASE_URL: chat,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [`examples/agents/${file}`, ...parameters], { env });
  return stdout;
}

it('a LangChain agent runs the programs of its model', async () => {
  const program = { language: 'python', code: 'print(6 * 7)' };
  const wrong = { language: 'python', code: 'print(' };
  provider.plays(
    callsTool('run_program', JSON.stringify(wrong)),
    callsTool('run_program', JSON.stringify(program)),
    says('It is 42.'),
  );
  expect(await run('langchain.mjs', 'What is six times seven?')).toBe('It is 42.\n');
  const results = provider.requests.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => JSON.parse(String(content)))).toEqual([
    { error: expect.stringContaining('SyntaxError') },
    { stdout: '42\n', stderr: '', exit_code: 0 },
  ]);
});

it('a program for E2B keeps its state, its files and its variables after a timeout', async () => {
  expect(await run('e2b-analysis.mjs')).toBe(
    '2 rows\n 142\nIndexError list index out of range\nTimeoutError 2\n가격 합계: 142\n',
  );
});
