import { describe, expect, it } from 'vitest';
import {
  execute,
  executeBatch,
  javascript,
  resultOf,
  resultsOf,
  sandboxService,
  submit,
  until,
} from '../../helpers/sandbox.ts';

const service = sandboxService();
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Several sources and data; the program writes one small and one large file. */
const WRITES = javascript(
  `const fs = require('fs');
   const { double } = require('./lib/double.js');
   fs.writeFileSync('out/sum.json', JSON.stringify({ sum: double(Number(fs.readFileSync('in.txt', 'utf8'))), argv: process.argv.slice(2) }));
   fs.mkdirSync('out/deep');
   fs.writeFileSync('out/deep/large.bin', Buffer.alloc(5_000_000, 7));
   fs.symlinkSync('/etc/passwd', 'out/link');
   fs.writeFileSync('not-in-out.txt', 'x');`,
  {
    args: ['one', 'two words'],
    files: [
      { path: 'lib/double.js', content: 'exports.double = (x) => 2 * x;' },
      { path: 'in.txt', content_base64: base64('21') },
    ],
  },
);

describe('files of an execution', () => {
  it('are found by the program, and those that it writes below out/ are in the result, large ones by address', async () => {
    const { files = [], skipped_files } = resultOf(await execute(service, WRITES));
    const [large, small] = files;
    expect(small).toEqual({
      path: 'sum.json',
      size: 37,
      media_type: 'application/json',
      content_base64: base64('{"sum":42,"argv":["one","two words"]}'),
    });
    expect(large).toEqual({
      path: 'deep/large.bin',
      size: 5_000_000,
      media_type: 'application/octet-stream',
      url: expect.stringMatching(/^http/),
    });
    const fetched = await fetch(large?.url ?? '');
    const bytes = Buffer.from(await fetched.arrayBuffer());
    expect([fetched.status, bytes.length, bytes[0]]).toEqual([200, 5_000_000, 7]);
    expect(skipped_files).toEqual([{ path: 'link', reason: expect.stringContaining('not a plain file') }]);
  });

  it('are in the results of a batch and of an asynchronous execution too, and answers stay below six megabytes', async () => {
    const half = javascript(
      'require("fs").writeFileSync("out/half", Buffer.alloc(600_000, 65)); console.log("x".repeat(1e6))',
      {
        files: [],
      },
    );
    const answer = await executeBatch(
      service,
      Array.from({ length: 5 }, () => half),
    );
    expect(JSON.stringify(answer.json).length).toBeLessThan(6_000_000);
    for (const { files = [] } of resultsOf(answer)) {
      const [{ content_base64, url = '' } = {}] = files;
      const length = content_base64
        ? Buffer.from(content_base64, 'base64').length
        : (await (await fetch(url)).arrayBuffer()).byteLength;
      expect(length).toBe(600_000);
    }
    const { execution_id } = await submit(service, WRITES);
    const { result } = await until(service, execution_id);
    expect(result?.files?.map(({ path }) => path)).toEqual(['deep/large.bin', 'sum.json']);
    expect((await fetch(result?.files?.[0]?.url ?? '')).status).toBe(200);
  });

  it('can be the program itself, by main', async () => {
    const body = {
      language: 'python',
      main: 'app/start.py',
      files: [
        { path: 'app/start.py', content: 'import helper; print(helper.word)' },
        { path: 'app/helper.py', content: 'word = "한글"' },
      ],
    };
    const answer = await execute(service, body);
    expect(resultOf(answer)).toMatchObject({ stdout: '한글\n', exit_code: 0, files: [], skipped_files: [] });
  });

  it("files are not part of a result unless requested, regardless of the program's writes", async () => {
    const body = javascript('require("fs").mkdirSync("out"); require("fs").writeFileSync("out/x", "x")');
    expect(Object.keys(resultOf(await execute(service, body))).toSorted()).toEqual([
      'execution_id',
      'execution_time',
      'exit_code',
      'language',
      'session_id',
      'stderr',
      'stdout',
    ]);
  });
});

describe('what a run used', () => {
  it('a crash differs from a lack of memory', async () => {
    const crash = javascript('process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1e6)', { resources: {} });
    expect(resultOf(await execute(service, crash))).toMatchObject({
      exit_code: 139,
      resources: { signal: 'SIGSEGV', limit: null, cpu_time: expect.any(Number), memory_peak: expect.any(Number) },
    });
    const greedy = javascript('const all = []; setInterval(() => all.push(Buffer.alloc(1e6, 1)), 4)', {
      resources: { memory_mb: 128 },
    });
    const { resources } = resultOf(await execute(service, greedy));
    expect(resources).toMatchObject({ signal: 'SIGKILL', limit: 'memory' });
    expect(resources?.memory_peak).toBeGreaterThan(100e6);
  });

  it('is zero neither of processor time nor of memory for a program that works', async () => {
    const works = javascript('for (let i = 0; i < 3e8; i++); console.log("done")', { resources: {} });
    const { resources } = resultOf(await execute(service, works));
    expect(resources).toMatchObject({ signal: null, limit: null });
    expect(resources?.cpu_time).toBeGreaterThan(0.05);
    expect(resources?.memory_peak).toBeGreaterThan(10e6);
  });

  it('says of a timeout in a batch that time was the limit', async () => {
    const [result] = resultsOf(await executeBatch(service, [javascript('for (;;);', { timeout: 1, resources: {} })]));
    expect(result).toMatchObject({ exit_code: -1, resources: { limit: 'time', signal: 'SIGKILL' } });
  });
});

describe('requests with files that are refused', () => {
  const file = (path: string) => ({ path, content: 'x' });
  const refused: readonly [string, object, RegExp][] = [
    ['a path that leads up', { files: [file('../x')] }, /files.*relative path without/],
    ['an absolute path', { files: [file('/etc/x')] }, /relative path/],
    ['a path with an empty segment', { files: [file('a//b')] }, /relative path/],
    ['a backslash', { files: [file('a\\b')] }, /backslash/],
    ['a NUL character', { files: [file('a\u0000b')] }, /control character/],
    ['a place in out/', { files: [file('out/x')] }, /out\//],
    ['a path that is an option', { files: [file('-rf')] }, /start with -/],
    ['a path that is too deep', { files: [file('a/a/a/a/a/a/a/a/a')] }, /directories deep/],
    ['one path twice', { files: [file('a'), file('a')] }, /twice/],
    ['a file that is a directory', { files: [file('a'), file('a/b')] }, /file and a directory/],
    ['the name of code', { files: [file('main.js')] }, /main\.js/],
    [
      'both forms of content',
      { files: [{ ...file('a'), content_base64: 'eA==' }] },
      /either content, content_base64 or upload_url/,
    ],
    ['no content', { files: [{ path: 'a' }] }, /either content, content_base64 or upload_url/],
    ['content that is not base64', { files: [{ path: 'a', content_base64: '%' }] }, /base64/i],
    ['ten thousand files', { files: Array.from({ length: 10_000 }, (_, i) => file(`f${i}`)) }, /100/],
    ['too many bytes', { files: [{ path: 'a', content: 'x'.repeat(8 * 1024 * 1024 + 1) }] }, /8 MiB/],
    [
      'more than half of the disk',
      { files: [{ path: 'a', content: 'x'.repeat(600_000) }], resources: { disk_mb: 1 } },
      /disk_mb/,
    ],
    ['a main that is not a file', { main: 'a.js', files: [file('b.js')], code: undefined }, /main.*one of files/],
    ['main and code', { main: 'a.js', files: [file('a.js')] }, /code.*absent/],
    ['neither main nor code', { code: undefined }, /code.*required/],
    ['an argument with NUL', { args: ['a\u0000'] }, /NUL/],
    ['too many arguments', { args: Array.from({ length: 65 }, () => 'x') }, /64/],
  ];
  it.each(refused)('have %s', async (_, rest, message) => {
    const answer = await execute(service, javascript('0', rest));
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringMatching(message)]);
  });
});
