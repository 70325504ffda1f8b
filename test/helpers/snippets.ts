import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { hasPythonClient } from './python-client.ts';
import type { TestService } from './service.ts';

/** A fenced block of a page. */
export interface Snippet {
  readonly language: string;
  /** Words behind the language: `hosted` needs an AWS account, `fails` shows an error. */
  readonly flags: readonly string[];
  readonly text: string;
  readonly line: number;
  readonly lastLine: number;
}

export interface Ran {
  readonly snippet: Snippet;
  readonly output: string;
}

const RUN: readonly string[] = ['sh', 'python', 'ts'];
const SEPARATOR = '\x1e';

/** The fenced blocks of a Markdown text, in order; a block inside a list item loses its indentation. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  let open: { indent: string; words: string[]; line: number; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^( *)```(.*)$/.exec(line);
    if (open === null) {
      const [, indent = '', info = ''] = fence ?? [];
      if (fence) open = { indent, words: info.trim().split(/ +/), line: index + 1, lines: [] };
    } else if (fence) {
      const [language = '', ...flags] = open.words;
      snippets.push({ language, flags, text: `${open.lines.join('\n')}\n`, line: open.line, lastLine: index + 1 });
      open = null;
    } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  return snippets;
}

/**
 * Runs the sh, python and ts blocks of a page in one shell, one after another, as a reader would at one terminal in the
 * repository. Addresses and paths of the page become those of the test's service.
 * @param folder that the page's `/tmp` becomes
 * @throws Error with the output where a block fails, or an HTTP call of curl has an error status
 */
export async function runSnippets(
  snippets: readonly Snippet[],
  { service, folder, env = {} }: { service: TestService; folder: string; env?: Readonly<Record<string, string>> },
): Promise<readonly Ran[]> {
  const runnable = snippets.filter(({ language }) => RUN.includes(language));
  const bin = await shims(folder);
  const script = runnable.map((snippet) => `printf '${SEPARATOR}'\n${shellOf(snippet)}`).join('\n');
  const text = script
    .replaceAll('/tmp/', `${folder}/`)
    .replaceAll('127.0.0.1:3000', new URL(service.baseUrl).host)
    .replaceAll(/(?:\.\/)?\.local\//g, `${service.dataDir}/`);
  const { output, failed } = await bash(text, {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    TRIPOD_DATA_DIR: service.dataDir,
    KEY: service.apiKey,
    ...env,
  });
  const outputs = output.split(SEPARATOR).slice(1);
  if (failed) {
    const at = runnable[outputs.length - 1];
    throw new Error(`The ${at?.language} block at line ${at?.line} failed:\n${at?.text}\n${outputs.at(-1) ?? output}`);
  }
  return runnable.map((snippet, index) => ({ snippet, output: outputs[index] ?? '' }));
}

function shellOf({ language, flags, text }: Snippet): string {
  const program = {
    sh: text,
    python: heredoc('python3 -', text),
    ts: heredoc('node --input-type=module-typescript -', text),
  };
  const needsClient = language === 'python' && /^(from|import) openai\b/m.test(text) && !hasPythonClient();
  const shell = needsClient ? 'true\n' : program[language as keyof typeof program];
  return flags.includes('fails') ? `if { ${shell} }; then echo 'This block should fail.'; exit 1; fi\n` : shell;
}

const heredoc = (command: string, text: string) => `${command} <<'SNIPPET'\n${text}SNIPPET\n`;

function bash(script: string, env: Readonly<Record<string, string>>): Promise<{ output: string; failed: boolean }> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', `exec 2>&1\nset -euo pipefail\n${script}`], options, (error, stdout) =>
      resolve({ output: stdout, failed: error !== null }),
    );
    child.stdin?.end();
  });
}

/** By folder: a program that is being written cannot be run. */
const madeShims = new Map<string, Promise<string>>();

function shims(folder: string): Promise<string> {
  const made = madeShims.get(folder) ?? makeShims(folder);
  madeShims.set(folder, made);
  return made;
}

/**
 * Programs in the place of those that must not do here what they do for the reader. What installs, starts or tests the whole
 * project runs in CI anyway; what needs AWS is checked as far as its options go.
 */
async function makeShims(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const real = (name: string) => `PATH=\${PATH#*:} exec ${name}`;
  const programs: Readonly<Record<string, string>> = {
    // An HTTP error fails the block that did not expect it.
    curl: `${real('curl')} --fail-with-body --retry 3 -sS "$@"`,
    npm: `case "\${1-}" in ci|start|test) echo "npm $*";; *) ${real('npm')} "$@";; esac`,
    npx: `if [ "\${1-}" = cdk ]; then PATH=\${PATH#*:} exec node test/helpers/cdk-options.ts "$@"; fi; ${real('npx')} "$@"`,
    aws: 'echo "aws $*" >&2',
    docker: 'echo "docker $*" >&2',
    git: `case "\${1-}" in pull|checkout|clone) echo "git $*";; *) ${real('git')} "$@";; esac`,
  };
  for (const [name, body] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${body}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

/**
 * Compares a response as a page shows it with the real one: the same members in the same types, with the same true, false
 * and null. Lists may be cut short. @returns what differs
 */
export function differences(shown: unknown, real: unknown, path = 'the response'): readonly string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${path} is not a list`];
    return shown.flatMap((each, index) => differences(each, real[index], `${path}[${index}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof real !== 'object' || real === null) return [`${path} is not an object`];
    const members = Object.entries(shown).flatMap(([name, value]) =>
      name in real
        ? differences(value, (real as Record<string, unknown>)[name], `${path}.${name}`)
        : [`${path}.${name} is missing`],
    );
    const more = Array.isArray(shown) ? [] : Object.keys(real).filter((name) => !(name in shown));
    return [...members, ...more.map((name) => `${path}.${name} is not shown`)];
  }
  if (typeof shown === 'boolean' || shown === null) return shown === real ? [] : [`${path} is ${JSON.stringify(real)}`];
  return typeof shown === typeof real ? [] : [`${path} is ${JSON.stringify(real)}`];
}

export async function pageSnippets(file: string): Promise<readonly Snippet[]> {
  return snippetsOf(await readFile(file, 'utf8'));
}
