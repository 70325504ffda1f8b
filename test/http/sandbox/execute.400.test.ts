import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  ASYNC_PATH,
  BATCH_PATH,
  detailOf,
  EXECUTE_PATH,
  execute,
  executeBatch,
  sessionPath,
  whyNoSandbox,
} from '../../helpers/sandbox.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();
let cannot = '';
beforeAll(async () => {
  cannot = await whyNoSandbox(service);
});

const good = { language: 'javascript', code: 'console.log(1)' };

describe('invalid parameters', () => {
  it.each<[string, object, string]>([
    ['no code', { language: 'javascript' }, 'code: '],
    ['empty code', { ...good, code: '' }, 'code: must not be empty'],
    ['2 MiB of code', { ...good, code: 'x'.repeat(2 * 1024 * 1024) }, 'code: must be at most 1 MiB'],
    ['1 MiB of characters of three bytes', { ...good, code: '한'.repeat(1024 * 1024) }, 'code: must be at most 1 MiB'],
    ['5 MiB of input', { ...good, stdin: 'x'.repeat(5 * 1024 * 1024) }, 'stdin: must be at most 4 MiB'],
    ['no language', { code: '1' }, 'language: '],
    ['a language that is a number', { ...good, language: 3 }, 'language: '],
    ['timeout 0', { ...good, timeout: 0 }, 'timeout: '],
    ['timeout 301', { ...good, timeout: 301 }, 'timeout: '],
    ['timeout 1.5', { ...good, timeout: 1.5 }, 'timeout: '],
    ['timeout as a text', { ...good, timeout: '30' }, 'timeout: '],
    [
      '65 variables',
      { ...good, environment: Object.fromEntries([...Array(65).keys()].map((i) => [`V${i}`, ''])) },
      'environment: at most 64',
    ],
    ['64 KiB and more', { ...good, environment: { A: 'x'.repeat(65_536) } }, 'environment: at most 64 KiB'],
    ['a name with =', { ...good, environment: { 'A=B': '' } }, 'environment.A=B: a name consists of letters'],
    ['an empty name', { ...good, environment: { '': '' } }, 'environment'],
    ['a name with NUL', { ...good, environment: { 'A\0': '' } }, 'environment'],
    ['a value with NUL', { ...good, environment: { A: '\0' } }, 'environment.A: values hold no NUL'],
    ['a value that is a number', { ...good, environment: { A: 1 } }, 'environment.A: '],
    ...[
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'PYTHONSTARTUP',
      'RUBYOPT',
      'GOFLAGS',
      'BASH_ENV',
      'PERL5OPT',
      'GLIBC_TUNABLES',
    ].map((name): [string, object, string] => [
      name,
      { ...good, environment: { [name]: 'x' } },
      `environment.${name}: this name is not allowed, since`,
    ]),
    ['too much memory', { ...good, resources: { memory_mb: 2049 } }, 'resources.memory_mb: '],
    ['too many cores', { ...good, resources: { cpu: 3 } }, 'resources.cpu: '],
    ['too much disk', { ...good, resources: { disk_mb: 1025 } }, 'resources.disk_mb: '],
    ['an unknown member', { ...good, timeuot: 3 }, 'timeuot: is not known here'],
  ])('%s', async (_, body, says) => {
    for (const path of [EXECUTE_PATH, ASYNC_PATH]) {
      const answer = await call(service, 'POST', path, { body });
      expect({ status: answer.status, detail: detailOf(answer) }).toEqual({
        status: 400,
        detail: expect.stringContaining(says),
      });
    }
  });

  it.each(['', '{', '[]', 'null', '"x"'])('a body that is %j', async (raw) => {
    const answer = await call(service, 'POST', EXECUTE_PATH, { raw });
    expect(answer.status).toBe(400);
    detailOf(answer);
  });

  it.each([{}, [], good, [good, { ...good, timeout: 0 }], null])('a batch that is %j', async (body) => {
    const answer = await call(service, 'POST', BATCH_PATH, { body });
    expect(answer.status).toBe(400);
    detailOf(answer);
  });

  it.each<[string, object, string]>([
    ['an empty session_id', { ...good, session_id: '' }, 'session_id: '],
    ['a session_id that no path can name', { ...good, session_id: '..' }, 'session_id: '],
    ['a session_id of 129 characters', { ...good, session_id: 's'.repeat(129) }, 'session_id: '],
  ])('%s', async (_, body, says) => {
    const answer = await execute(service, body);
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining(says)]);
  });

  it.each([
    ['?limit=0', 'limit: must be a whole number from 1 to 100'],
    ['?limit=101', 'limit: '],
    ['?limit=x', 'limit: '],
    ['?cursor=x', 'cursor: must be the next_cursor of an earlier page'],
  ])('a session page %s', async (query, says) => {
    const answer = await call(service, 'GET', sessionPath('s') + query);
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining(says)]);
  });

  it.each(['GET', 'DELETE'])('%s of a session name of 129 characters', async (method) => {
    const answer = await call(service, method, sessionPath('s'.repeat(129)));
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining('session_id: ')]);
  });

  it('a batch of 11', async () => {
    const answer = await executeBatch(service, Array(11).fill(good));
    expect([answer.status, detailOf(answer)]).toEqual([400, 'Maximum 10 executions allowed in a batch']);
  });

  it('a batch that could take longer than a call may', async () => {
    const answer = await executeBatch(service, Array(3).fill({ ...good, timeout: 300 }));
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining('add up to 840 seconds')]);
  });
});

describe('programs that cannot be', () => {
  const UNSUPPORTED = /^Unsupported language: COBOL\. Supported languages: [a-z]+(, [a-z]+)*$/;

  it('in an unknown language, also as one of a batch, and asynchronously', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const cobol = { language: 'COBOL', code: 'DISPLAY "hello".' };
    const answers = [
      await execute(service, cobol),
      await executeBatch(service, [good, cobol]),
      await call(service, 'POST', ASYNC_PATH, { body: cobol }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(detailOf(answer)).toMatch(UNSUPPORTED);
    }
  });

  it('with invalid syntax', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const answer = await execute(service, { language: 'javascript', code: 'const = 1' });
    expect(answer.status).toBe(400);
    expect(detailOf(answer)).toMatch(/^Invalid code syntax: main\.js:1\n.*SyntaxError/s);
  });
});
