import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The Codex CLI, of the npm package `@openai/codex`: at CODEX, or on the path; null where there is none. */
export function codexCommand(): string | null {
  const command = process.env.CODEX ?? 'codex';
  try {
    return execFileSync(command, ['--version'], { encoding: 'utf8' }).startsWith('codex-cli') ? command : null;
  } catch {
    console.log(
      'Tests with the Codex CLI are skipped: there is none. Install @openai/codex, and name its command in CODEX.',
    );
    return null;
  }
}

/** The output of an agent: an event in each line, and its log. */
export interface CodexRun {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly log: string;
}

interface CodexTask {
  readonly command: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly prompt: string;
}

/** A task of Codex in an empty folder, with the service as its only server: addresses beyond loopback lead nowhere. */
export async function runCodex({ command, baseUrl, apiKey, model, prompt }: CodexTask): Promise<CodexRun> {
  const home = await mkdtemp(path.join(tmpdir(), 'tripod-codex-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'tripod-codex-task-'));
  const provider = `{name="tripod",base_url=${JSON.stringify(baseUrl)},env_key="TRIPOD_KEY",wire_api="responses"}`;
  const settings = ['model_provider="tripod"', `model_providers.tripod=${provider}`, 'analytics.enabled=false'];
  const options = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model];
  const args = ['exec', ...options, ...settings.flatMap((setting) => ['-c', setting]), '-C', folder, prompt];
  const nowhere = 'http://127.0.0.1:9';
  const { PATH } = process.env;
  const env = { PATH, CODEX_HOME: home, HOME: home, TRIPOD_KEY: apiKey, HTTPS_PROXY: nowhere, NO_PROXY: '127.0.0.1' };
  try {
    return await new Promise((resolve, reject) => {
      const child = execFile(command, args, { env, timeout: 100_000 }, (error, stdout, log) => {
        if (error) reject(new Error(`${stdout}\n${log}`, { cause: error }));
        else resolve({ log, events: stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])) });
      });
      child.stdin!.end();
    });
  } finally {
    await Promise.all([home, folder].map((each) => rm(each, { recursive: true, force: true })));
  }
}
