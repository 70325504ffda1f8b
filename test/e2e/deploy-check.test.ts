import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Answers as CloudFormation, Lambda and SES do for an account with a deployment. */
let account: Server;
let folder: string;

const stack = (outputs: Readonly<Record<string, string>>) => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};
const missing =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id s does not exist</Message></Error></ErrorResponse>';

beforeAll(async () => {
  account = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const json = (value: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.url?.includes('account-settings')) return json({ AccountLimit: { ConcurrentExecutions: 10 } });
      if (request.url === '/v2/email/account') return json({ ProductionAccessEnabled: true });
      if (request.url?.startsWith('/v2/email/identities')) return json({ VerifiedForSendingStatus: true });
      const name = new URLSearchParams(body).get('StackName');
      if (name === 'tripod-test-operations')
        return response.end(
          stack({ Options: JSON.stringify({ stage: 'test', waf: 'true' }).replaceAll('"', '&quot;') }),
        );
      return response.writeHead(name === 'CDKToolkit' ? 200 : 400).end(name === 'CDKToolkit' ? stack({}) : missing);
    });
  });
  await new Promise<void>((resolve) => account.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'tripod-options-'));
  await writeFile(join(folder, 'test.json'), JSON.stringify({ mailFrom: 'a@b.example' }));
});
afterAll(async () => {
  account.close();
  await rm(folder, { recursive: true });
});

const check = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, ['bin/deploy-check.ts', ...words], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(account.address() as AddressInfo).port}`,
      AWS_REGION: 'ap-northeast-2',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      TRIPOD_OPTIONS_DIR: folder,
    },
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );

it('npm run deploy:check reads the account, prints what the deployment changes, and ends with 1 where it would starve', async () => {
  const { code, stdout } = await check('-c', 'stage=test', '-c', 'answerConcurrency=40');
  expect(code).toBe(1);
  expect(stdout).toContain('Stage test in ap-northeast-2');
  expect(stdout).toContain('ok      The account is bootstrapped');
  expect(stdout).toContain('ok      SES sends from a@b.example to any address.');
  expect(stdout).toMatch(/PROBLEM All queues together run 131 functions at once .*channel-inbound 40.* quota is 10/);
  expect(stdout).toContain(
    '  answerConcurrency: (default) → 40\n  mailFrom: (default) → a@b.example\n  waf: true → (default)',
  );
});

it('npm run deploy:check refuses options that do not exist', async () => {
  const { code, stderr } = await check('-c', 'sandbx=fargate');
  expect(code).toBe(1);
  expect(stderr).toContain('sandbx: did you mean sandbox?');
});
