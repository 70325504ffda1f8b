/** Calls a deployed service once in each way: see USAGE. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fetchFrom, runCommand, UsageError } from './command-line.ts';
import { type Client, checks, type Remembered } from './first-deploy-check/checks.ts';
import { reasonOf } from './first-deploy-check/reasons.ts';

const USAGE = `Usage: npm run first-deploy-check -- --url <url> --key <API key>

After the first deployment: twenty calls, one of each kind, with a key of all scopes. It reads two pages and runs two programs at their prices,
and removes the application and the knowledge base that it makes. It prints what failed and why, and ends with 1 then.`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, key: { type: 'string' } } });
  const { url, key } = values;
  if (url === undefined || key === undefined) throw new UsageError('Name the address (--url) and a key (--key).');
  const page = (await readFile(new URL('../docs/sample-page.png', import.meta.url))).toString('base64');
  const client = clientOf(url.replace(/\/+$/, ''), key);
  const remembered: Remembered = new Map();
  let failed = 0;
  for (const { name, call } of checks(page)) {
    const failure = await call(client, remembered).then(
      () => null,
      (error: unknown) => reasonOf(error),
    );
    if (failure !== null) failed++;
    console.log(failure === null ? `  ok      ${name}` : `  FAILED  ${name}: ${failure}`);
  }
  console.log(failed === 0 ? 'All calls succeeded.' : `${failed} of ${checks(page).length} calls failed.`);
  if (failed > 0) process.exitCode = 1;
}

function clientOf(url: string, key: string): Client {
  return (method, path, { body, headers = {}, isAnonymous = false } = {}) =>
    fetchFrom(url + path, {
      method,
      headers: {
        ...(!isAnonymous && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
