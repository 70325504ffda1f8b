import { spawnSync } from 'node:child_process';

/** Whether OpenAI's client for Python is there. */
export function hasPythonClient(): boolean {
  return spawnSync('python3', ['-c', 'import openai']).status === 0;
}
