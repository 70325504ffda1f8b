import { spawnSync } from 'node:child_process';

let isThere: boolean | null = null;

/** Whether OpenAI's client for Python is there; says once in a process how to have its tests run. */
export function hasPythonClient(): boolean {
  if (isThere !== null) return isThere;
  isThere = spawnSync('python3', ['-c', 'import openai']).status === 0;
  if (!isThere)
    console.info(
      'Tests with OpenAI’s client for Python are skipped: python3 has none. Run `pip install openai` first.',
    );
  return isThere;
}
