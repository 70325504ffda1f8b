import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { LanguageName, Run, RunOutcome } from '../../functions/sandbox/domain/run.ts';
import { findPython } from '../../sandbox/runner/languages/python.ts';
import { isRoot } from './hostile/kept-in.ts';

/** Visible results of a program. */
export interface Seen {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Those below out/. */
  readonly files: readonly string[];
}

type Program = Pick<Run, 'language' | 'code'> & Partial<Pick<Run, 'stdin' | 'arguments'>>;

const FILES: Readonly<Record<LanguageName, string>> = {
  bash: 'main.sh',
  go: 'main.go',
  javascript: 'main.js',
  python: 'main.py',
  ruby: 'main.rb',
  typescript: 'main.ts',
};

/** The interpreter as anyone would start it, in a separate folder that is also its home. @param environment of packages @param modules of Node */
export async function runBare(
  program: Program,
  environment: Readonly<Record<string, string>> = {},
  modules?: string,
): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'tripod-bare-'));
  try {
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, FILES[program.language]), program.code);
    if (modules !== undefined) symlinkSync(modules, join(folder, 'node_modules'));
    const own = { HOME: folder, LANG: 'C.UTF-8', TMPDIR: folder, PATH: process.env.PATH, ...environment };
    const [command = '', ...options] = await commandOf(program.language, folder);
    const child = spawn(command, [...options, ...(program.arguments ?? [])], { cwd: folder, env: own });
    child.stdin.on('error', () => undefined).end(program.stdin ?? '');
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number>((resolve) => {
        child.on('close', (code, signal) => resolve(code ?? 128 + (signal === 'SIGTERM' ? 15 : 9)));
      }),
    ]);
    const files = filesBelow(join(folder, 'out'));
    return {
      stdout: stdout.replaceAll(`${folder}/`, ''),
      stderr: stderr.replaceAll(`${folder}/`, ''),
      exitCode,
      files,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same of a program that the sandbox has run. */
export function seenOf(outcome: RunOutcome): Seen {
  if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
  const { stdout, stderr, exitCode, outputs } = outcome;
  return { stdout, stderr, exitCode, files: (outputs?.files ?? []).map(({ path }) => path).toSorted() };
}

async function commandOf(language: LanguageName, folder: string): Promise<readonly string[]> {
  switch (language) {
    case 'python':
      return [(await findPython({ forOtherUsers: isRoot }))!, '-s', 'main.py'];
    case 'javascript':
      return [process.execPath, 'main.js'];
    case 'typescript':
      return [process.execPath, '--experimental-transform-types', '--disable-warning=ExperimentalWarning', 'main.ts'];
    case 'go':
      await promisify(execFile)('go', ['build', '-o', 'main', 'main.go'], { cwd: folder });
      return [join(folder, 'main')];
    default:
      return [language, FILES[language]];
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
