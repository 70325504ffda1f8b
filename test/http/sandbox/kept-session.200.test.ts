import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { detailOf, execute, resultOf, sandboxService, sessionPath, submit, until } from '../../helpers/sandbox.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = sandboxService();

const kept = (session_id: string, code: string, rest: object = {}) => ({
  language: 'python',
  code,
  session_id,
  session: { keep: true },
  ...rest,
});
const end = (session: string) => call(service, 'DELETE', sessionPath(session));
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a kept session', () => {
  it('lets a call find what earlier ones have left, until it is ended', async () => {
    const first = resultOf(await execute(service, kept('state', 'import math\ntotal = 40\nprint("hello")')));
    expect(first).toMatchObject({ stdout: 'hello\n', exit_code: 0, session: { new: true, kept: true } });
    expect(first).not.toHaveProperty('value');
    const second = resultOf(await execute(service, kept('state', 'total += 2\nmath.sqrt(total * 42)')));
    expect(second).toMatchObject({ value: '42.0', session: { new: false, kept: true }, session_id: 'state' });
    expect((await end('state')).status).toBe(204);
    const third = resultOf(await execute(service, kept('state', 'total')));
    expect(third).toMatchObject({ exit_code: 1, session: { new: true, kept: true } });
    expect(third.stderr).toContain("NameError: name 'total' is not defined");
    expect((await end('state')).status).toBe(204);
    expect((await end('state')).status).toBe(404);
  });

  it('each call has its input, environment, files and usage', async () => {
    const code = 'import os\nopen("out/a.txt", "w").write(input() + os.environ["WORD"] + open("in.txt").read())';
    const result = resultOf(
      await execute(
        service,
        kept('parts', code, {
          stdin: 'one ',
          environment: { WORD: 'two ' },
          files: [{ path: 'in.txt', content: 'three' }],
          resources: {},
        }),
      ),
    );
    expect(result).toMatchObject({
      value: '13',
      files: [{ path: 'a.txt', content_base64: base64('one two three') }],
      resources: { signal: null, limit: null },
    });
    // A call gets only its own output files; existing ones stay.
    const later = resultOf(await execute(service, kept('parts', 'os.listdir("out")', { files: [] })));
    expect(later).toMatchObject({ value: "['a.txt']", files: [] });
    await end('parts');
  });

  it('keeps Node as well, where a call ends when nothing is left to do', async () => {
    const javascript = (code: string) => execute(service, kept('node', code, { language: 'javascript' }));
    expect(resultOf(await javascript('let n = 1; setTimeout(() => console.log("late"), 50)'))).toMatchObject({
      stdout: 'late\n',
      session: { new: true },
    });
    expect(resultOf(await javascript('n += 1; ({ n })'))).toMatchObject({ value: '{ n: 2 }', session: { new: false } });
    expect(resultOf(await javascript('await Promise.resolve(); console.log(n)'))).toMatchObject({ stdout: '2\n' });
    expect(resultOf(await javascript('throw new Error("no")'))).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining('Error: no'),
    });
    expect(resultOf(await javascript('process.exit(7)'))).toMatchObject({ exit_code: 7, session: { kept: false } });
    expect(resultOf(await javascript('typeof n'))).toMatchObject({ value: "'undefined'", session: { new: true } });
    await end('node');
  });

  it('is not another workspace’s by the same name', async () => {
    const other = { baseUrl: service.baseUrl, ...(await createWorkspace()) };
    await execute(service, kept('shared', 'secret = "of the first workspace"'));
    const result = resultOf(await execute(other, kept('shared', 'secret')));
    expect(result).toMatchObject({ exit_code: 1, session: { new: true } });
    expect((await call(other, 'DELETE', sessionPath('shared'))).status).toBe(204);
    expect(resultOf(await execute(service, kept('shared', 'secret')))).toMatchObject({ session: { new: false } });
    await end('shared');
  });

  it('has its calls wait for each other, asynchronous ones too', async () => {
    await execute(service, kept('line', 'seen = []'));
    const add = (n: number) => kept('line', `import time\ntime.sleep(0.05)\nseen.append(${n})`);
    const { execution_id } = await submit(service, add(0));
    const answers = await Promise.all([1, 2, 3, 4].map((n) => execute(service, add(n))));
    for (const answer of answers) expect(resultOf(answer)).toMatchObject({ exit_code: 0, session: { new: false } });
    expect((await until(service, execution_id)).result).toMatchObject({ exit_code: 0, session: { new: false } });
    expect(resultOf(await execute(service, kept('line', 'sorted(seen)'))).value).toBe('[0, 1, 2, 3, 4]');
    await end('line');
  });

  it('keeps its variables after a timeout', async () => {
    const timedOut = await execute(service, kept('late', 'x = 1; print("so far")\nwhile True: pass', { timeout: 1 }));
    expect([timedOut.status, timedOut.json]).toMatchObject([
      500,
      {
        detail: 'Execution failed: Execution timed out after 1 second. The session and its variables are kept',
        stdout: 'so far\n',
        stderr: expect.stringContaining('File "main.py", line 2'),
      },
    ]);
    expect(resultOf(await execute(service, kept('late', 'x')))).toMatchObject({ value: '1', session: { new: false } });
    await end('late');
  });

  it('ends with a timeout that its program ignores, and a workspace has two at a time', async () => {
    await execute(service, kept('one', 'x = 1'));
    const deaf = 'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: pass';
    const timedOut = await execute(service, kept('one', deaf, { timeout: 1 }));
    expect([timedOut.status, timedOut.json]).toMatchObject([
      500,
      { detail: 'Execution failed: Execution timed out after 1 second' },
    ]);
    expect(resultOf(await execute(service, kept('one', '1')))).toMatchObject({ session: { new: true } });
    await execute(service, kept('two', '1'));
    const third = await execute(service, kept('three', '1'));
    expect([third.status, detailOf(third)]).toEqual([503, expect.stringContaining('may keep 2 sessions')]);
    // Programs without a session have their runners all the same.
    expect(resultOf(await execute(service, { language: 'python', code: 'print(1)' }))).toMatchObject({ stdout: '1\n' });
    await Promise.all([end('one'), end('two')]);
  });

  const refused: readonly [string, object, RegExp][] = [
    ['no session_id', { session_id: undefined }, /session_id.*required/],
    ['another language', { language: 'ruby' }, /language.*javascript, python/],
    ['arguments', { args: ['x'] }, /args.*absent/],
    ['main', { main: 'a.py', files: [{ path: 'a.py', content: '' }], code: undefined }, /main.*absent/],
  ];
  it.each(refused)('is refused with %s', async (_, rest, message) => {
    const answer = await execute(service, kept('refused', '1', rest));
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringMatching(message)]);
  });
});
