import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announced } from '../../local/running-service.ts';
import { call, EXTRACT_PATH } from '../helpers/api.ts';
import { bare, login, tokensOf } from '../helpers/auth.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

const run = promisify(execFile);
let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ env: { REGISTRATION: '0' } });
});
afterAll(() => service.stop());

/** A command, as an operator runs it. */
async function operate(program: string, parameters: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run(process.execPath, [`bin/${program}.ts`, ...parameters], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

const createWorkspace = (...command: Parameters<typeof operate> extends [string, ...infer Rest] ? Rest : never) =>
  operate('workspace-create', ...command) as Promise<{
    workspaceId: string;
    email: string;
    password: string;
    apiKey: string;
  }>;

/** CloudFormation, as far as the command asks it: the outputs of the data stack. */
async function stackOutputs(accountsTable: string) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(body);
    response.setHeader('content-type', 'text/xml').end(`<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackName>tripod-prod-data</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member>
      <OutputKey>AccountsTable</OutputKey><OutputValue>${accountsTable}</OutputValue></member></Outputs>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it('where registration is closed, the operator makes a workspace, and its key extracts a page', async () => {
  const account = { email: 'own@example.com', password: 'correct horse battery', workspace_name: 'A' };
  expect((await bare(service, 'POST', '/api/v1/auth/register', { body: account })).status).toBe(403);

  const { environment } = (await announced(service.dataDir))!;
  const stack = await stackOutputs(environment.ACCOUNTS_TABLE ?? '');
  const hosted = { ...environment, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url, ACCOUNTS_TABLE: '' };
  const owner = ['--email', ' Owner@Example.com', '--name', '가나 약국'];
  const made = await createWorkspace(['--stage', 'prod', ...owner], hosted);
  const payment = ['--workspace', made.workspaceId, '--amount', '30000', '--reference', 'transfer 1'];
  for (const replayed of [false, true])
    expect(await operate('top-up', ['--stage', 'prod', ...payment], hosted)).toMatchObject({
      balanceKrw: 30_000,
      replayed,
    });
  stack.close();
  expect(stack.asked.join()).toContain('StackName=tripod-prod-data');
  expect(made.email).toBe('owner@example.com');

  const image = readFileSync('docs/sample-page.png').toString('base64');
  const extracted = await call(service, 'POST', EXTRACT_PATH, { key: made.apiKey, body: { image } });
  expect(extracted).toMatchObject({ status: 200, json: { foundTable: true, cost: { krw: 0, free: true } } });
  tokensOf(await login(service, made));
});

it('the same command makes one in a data directory, and reports faulty arguments', async () => {
  const made = await createWorkspace(['--data-dir', service.dataDir, '--email', 'local@example.com']);
  const balance = await call(service, 'GET', '/api/v1/balance', { key: made.apiKey });
  expect(balance).toMatchObject({ status: 200, json: { balanceKrw: 0 } });
  for (const [parameters, message] of [
    [['--data-dir', service.dataDir, '--email', 'local@example.com'], 'registered already'],
    [['--data-dir', service.dataDir], '--email must be'],
    [['--email', 'a@example.com'], 'either the stage'],
    [['--email', 'a@example.com', '--stage', 'dev', '--colour', 'red'], 'colour'],
  ] as const)
    await expect(createWorkspace(parameters)).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
  const local = ['--data-dir', service.dataDir];
  for (const [parameters, message] of [
    [[...local, '--workspace', 'ws_none', '--amount', '1', '--reference', 'r'], 'There is no workspace'],
    [[...local, '--workspace', made.workspaceId, '--amount', '1.5', '--reference', 'r'], '--amount must be'],
    [[...local, '--workspace', made.workspaceId, '--amount', '1'], '--reference must be'],
  ] as const)
    await expect(operate('top-up', parameters)).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
});
