import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import { leftovers } from '../leftovers.ts';
import { notInstalled, PRESTARTED, prewarmAll, type RunnerProcess, startRunner } from '../runner-process.ts';
import { languageSnippets } from './languages.ts';
import { limitSnippets } from './limits.ts';
import { sameSnippets } from './same-snippets.ts';
import { streamSnippets } from './streams.ts';
import { syntaxSnippets } from './syntax.ts';

let runner: RunnerProcess;
/** It starts nothing before there is a program. */
let coldRunner: RunnerProcess;
let cannot = '';

beforeAll(async () => {
  const [started, cold] = await Promise.all([startRunner(), startRunner({ environment: { RUNNER_PREWARM: 'none' } })]);
  if (typeof started === 'string' || typeof cold === 'string') cannot = String(started);
  else {
    [runner, coldRunner] = [started, cold];
    await prewarmAll(runner);
  }
});
afterAll(() => Promise.all([runner?.stop(), coldRunner?.stop()]));

const edgeSnippets = { ...languageSnippets, ...streamSnippets, ...syntaxSnippets, ...limitSnippets };

type Snippet = Partial<Run> & Pick<Run, 'language' | 'code'>;

/** Without what differs between any two runs. */
function comparable(outcome: RunOutcome): unknown {
  const text = JSON.stringify({ ...outcome, seconds: 0 });
  return JSON.parse(
    text
      .replaceAll(/\/[\w./-]{0,100}?\/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<directory>')
      .replaceAll(/0x[0-9a-f]{8,}/g, '<address>')
      .replaceAll(/base64,[\w+/=]+/g, '<map>'),
  );
}

describe('a program', () => {
  for (const [name, { gives, varies, ...run }] of Object.entries(edgeSnippets))
    it(`${name}: ${run.language}`, async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(run.language)) notInstalled(run.language, skip);
      const [cold, prestarted] = await Promise.all([
        coldRunner.run(run),
        PRESTARTED.has(run.language) ? runner.run(run) : undefined,
      ]);
      expect(cold).toMatchObject(gives);
      if (prestarted === undefined) return;
      expect(prestarted).toMatchObject(gives);
      if (!varies) expect(comparable(prestarted)).toEqual(comparable(cold));
    });

  it.each(Object.entries(sameSnippets))(
    '%s is the same for an interpreter that has waited',
    async (_, run: Snippet) => {
      if (cannot !== '' || !runner.languages.has(run.language)) return;
      const [cold, prestarted] = await Promise.all([coldRunner.run(run), runner.run(run)]);
      expect(comparable(prestarted)).toEqual(comparable(cold));
    },
  );

  it('leaves no process, file or directory behind', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    expect(leftovers(coldRunner)).toMatchObject({ processes: [], files: [] });
    expect(coldRunner.runDirectories()).toEqual([]);
    // One interpreter of each language waits.
    expect(runner.runDirectories().length).toBeLessThanOrEqual(PRESTARTED.size);
    await runner.stop();
    expect(leftovers(runner)).toMatchObject({ processes: [], files: [] });
  });
});
