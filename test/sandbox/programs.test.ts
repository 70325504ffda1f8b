import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageName } from '../../functions/sandbox/domain/run.ts';
import { runBare, type Seen, seenOf } from './bare-interpreter.ts';
import { notInstalled, type RunnerProcess, startRunner } from './runner-process.ts';

/** Programs as people and models write them; next to one are its input, `.stdin`, and its arguments, `.args`, one a line. */
const FOLDER = new URL('../fixtures/programs/', import.meta.url).pathname;
const INPUTS = new Set(['.args', '.stdin']);

const NO_SOCKETS = { exitCode: 1, stderr: expect.stringMatching(/PermissionError|EOFError/) };

/** Documented results of programs that cannot do here what they do elsewhere: see docs/sandbox.md. */
const DIFFERENT: Readonly<Record<string, object>> = {
  'python/forkserver.py': NO_SOCKETS,
  'python/http_server.py': NO_SOCKETS,
  'python/manager.py': NO_SOCKETS,
};

const programs = readdirSync(FOLDER).flatMap((language) =>
  readdirSync(join(FOLDER, language))
    .filter((file) => !INPUTS.has(parse(file).ext))
    .map((file) => ({ language: language as LanguageName, path: `${language}/${file}` })),
);

describe('a program does what it does under the bare interpreter', () => {
  let runner: RunnerProcess;
  let cannot = '';
  beforeAll(async () => {
    const started = await startRunner();
    if (typeof started === 'string') cannot = started;
    else runner = started;
  });
  afterAll(() => runner?.stop());

  it.for(programs)('$path', async ({ language, path }, { skip }) => {
    if (cannot !== '') skip(cannot);
    if (!runner.languages.has(language)) notInstalled(language, skip);
    const program = { language, code: readFileSync(join(FOLDER, path), 'utf8'), ...inputOf(path) };
    const [bare, run] = await Promise.all([
      runBare(program),
      runner.run({ ...program, files: [], timeoutSeconds: 120 }),
    ]);
    const seen = seenOf(run);
    const different = DIFFERENT[path];
    if (different === undefined) return expect(withoutInternals(seen)).toEqual(withoutInternals(bare));
    expect(seen).not.toEqual(bare);
    expect(seen).toMatchObject(different);
  });
});

/** Frames of Node itself depend on how it was started. */
function withoutInternals(seen: Seen): Seen {
  return { ...seen, stderr: seen.stderr.replaceAll(/^ +at .*\bnode:internal\/.*\n/gm, '') };
}

function inputOf(path: string) {
  const { dir, name } = parse(join(FOLDER, path));
  const [stdin, args] = ['.stdin', '.args'].map((end) => join(dir, name + end));
  return {
    ...(existsSync(stdin!) && { stdin: readFileSync(stdin!, 'utf8') }),
    ...(existsSync(args!) && { arguments: readFileSync(args!, 'utf8').trimEnd().split('\n') }),
  };
}
