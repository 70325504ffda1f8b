import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

const CALLS = 20;

let service: ServiceProcess;
beforeAll(async () => {
  // As on premises: an upload must say its length.
  service = await startServiceProcess({ env: { UPLOADS_NEED_LENGTH: '1' } });
});
afterAll(() => service?.stop());

const check = (key: string) =>
  promisify(execFile)(process.execPath, ['bin/first-deploy-check.ts', '--url', service.baseUrl, '--key', key]).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n') }),
    ({ code, stdout }) => ({ code, lines: String(stdout).trimEnd().split('\n') }),
  );

it('the check after the first deployment makes twenty calls, and removes what it has made', async () => {
  const { code, lines } = await check(service.apiKey);
  expect(lines.filter((line) => !line.startsWith('  ok '))).toEqual(['All calls succeeded.']);
  expect([code, lines.length]).toEqual([0, CALLS + 1]);
  const response = await fetch(`${service.baseUrl}/api/v1/knowledge-bases`, {
    headers: { 'x-api-key': service.apiKey },
  });
  expect(await response.json()).toMatchObject({ data: { knowledge_bases: [] } });
});

it('a wrong key fails every call that needs one, with the reason', async () => {
  const { code, lines } = await check('wrong');
  expect(code).toBe(1);
  expect(lines.filter((line) => line.startsWith('  ok '))).toHaveLength(3);
  expect(lines.find((line) => line.includes('balance'))).toContain('401');
  expect(lines.find((line) => line.includes('balance'))).toContain('The key is not of this deployment');
  expect(lines.find((line) => line.includes('stored extraction'))).toContain('Not tried, since there is no extraction');
  expect(lines.at(-1)).toBe('17 of 20 calls failed.');
});
