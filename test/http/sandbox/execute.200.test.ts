import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { execute, executeBatch, javascript, resultOf, resultsOf, sandboxService } from '../../helpers/sandbox.ts';

const service = sandboxService();

describe('POST /api/v1/execute', () => {
  it('gives what the program printed, its exit code and its time', async () => {
    const answer = await execute(service, javascript('console.log("hello"); console.error("oh"); process.exit(3)'));
    const result = resultOf(answer);
    expect(result).toEqual({
      execution_id: expect.stringMatching(/^exec_/),
      stdout: 'hello\n',
      stderr: 'oh\n',
      exit_code: 3,
      execution_time: expect.any(Number),
      language: 'javascript',
      session_id: null,
    });
    expect(result.execution_time).toBeGreaterThan(0);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'ratelimit-limit': '100' });
  });

  it('takes input, environment, a session and resources', async () => {
    const body = javascript('process.stdin.pipe(process.stdout); console.log(process.env.NAME)', {
      stdin: 'input',
      environment: { NAME: 'value' },
      timeout: 60,
      session_id: 's-1',
      resources: { cpu: 2, memory_mb: 1024, disk_mb: 10 },
    });
    const result = resultOf(await execute(service, body));
    expect(result).toMatchObject({ exit_code: 0, session_id: 's-1' });
    expect(result.stdout).toContain('value');
    expect(result.stdout).toContain('input');
  });

  it('takes null for what may be left out', async () => {
    const nothing = { stdin: null, environment: null, timeout: null, session_id: null };
    expect(resultOf(await execute(service, javascript('console.log(1)', nothing)))).toMatchObject({ stdout: '1\n' });
  });

  it('ends a program that uses more memory than it may with 137', async () => {
    // Slowly: who takes memory faster than the runner looks is refused it by the kernel, and ends in its language's own way.
    const body = javascript('const all = []; setInterval(() => all.push(Buffer.alloc(1e6, 1)), 4)', {
      resources: { memory_mb: 128 },
    });
    expect(resultOf(await execute(service, body))).toMatchObject({
      exit_code: 137,
      stderr: 'Killed: out of memory, more than 128 MB were in use\n',
    });
  });

  it('keeps executions apart, also at the same time', async () => {
    const code = 'require("fs").writeFileSync("f", "x"); console.log(require("fs").readdirSync(".").join())';
    const answers = await Promise.all([1, 2].map(() => execute(service, javascript(code))));
    for (const answer of answers) expect(resultOf(answer).stdout).toBe('f,main.js\n');
  });
});

describe('POST /api/v1/execute/batch', () => {
  it('runs one after another, in order, and continues after failures', async () => {
    const answer = await executeBatch(service, [
      javascript('console.log("first")', { session_id: 'a' }),
      javascript('while (true);', { timeout: 1 }),
      javascript('const = 1'),
      javascript('throw new Error("no")'),
      javascript('console.log("last")'),
    ]);
    const results = resultsOf(answer);
    expect(results).toMatchObject([
      { stdout: 'first\n', exit_code: 0, session_id: 'a' },
      { exit_code: -1, stderr: 'Execution timed out after 1 second' },
      { exit_code: -1, stderr: expect.stringMatching(/^Invalid code syntax: .*SyntaxError/s) },
      { exit_code: 1, stderr: expect.stringContaining('Error: no') },
      { stdout: 'last\n', exit_code: 0 },
    ]);
    expect(new Set(results.map(({ execution_id }) => execution_id)).size).toBe(5);
  });
});

describe('GET /api/v1/languages', () => {
  it('lists what can be run, with versions', async () => {
    const { status, json } = await call(service, 'GET', '/api/v1/languages');
    expect(status).toBe(200);
    const { languages } = json as { languages: { name: string; version: string }[] };
    const names = languages.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(languages).toContainEqual(expect.objectContaining({ name: 'javascript', version: process.versions.node }));
  });
});

it('twenty calls by one key at once all get their result: they wait in line', async () => {
  const code = 'setTimeout(() => console.log("hello"), 200)';
  const answers = await Promise.all(Array.from({ length: 20 }, () => execute(service, javascript(code))));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});

it('output that grows in JSON is an answer that Lambda can give, of a batch too', async () => {
  const noisy = javascript(
    'process.stdout.write("\\u0001".repeat(1 << 20)); process.stderr.write("\\u0001".repeat(1 << 20))',
  );
  const size = (answer: { readonly json: unknown }) => JSON.stringify(answer.json).length;
  expect(size(await execute(service, noisy))).toBeLessThan(6_000_000);
  expect(size(await executeBatch(service, [noisy, noisy]))).toBeLessThan(6_000_000);
});
