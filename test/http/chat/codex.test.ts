import { describe, expect, it } from 'vitest';
import { codexCommand, runCodex } from '../../helpers/codex.ts';
import { callsTool, says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { resultsIn } from '../../helpers/upstream-rows.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** https://github.com/openai/codex: `npm install @openai/codex` elsewhere, and CODEX names its command. */
const command = codexCommand();
const service = useService();
const { provider, application } = useScriptedApplication(service);

const PATCH = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const runs = (cmd: string, id: string) => callsTool('exec_command', JSON.stringify({ cmd }), id);
const patches = (id: string, ...lines: readonly string[]) =>
  callsTool('apply_patch', JSON.stringify({ input: PATCH(...lines) }), id);

describe.skipIf(command === null)('Codex CLI (skipped where there is none: CODEX names the command)', () => {
  const task = (model: string) => {
    const baseUrl = `${service.baseUrl}/api/v1/chat/${application.id}`;
    return runCodex({ command: command!, baseUrl, apiKey: service.apiKey, model, prompt: 'Keep a note' });
  };
  const done = { type: 'item.completed', item: { type: 'agent_message', text: 'The note says two.' } };

  it('ends a task of five steps with commands and patches', async () => {
    provider.plays(
      runs('echo begun', 'c1'),
      patches('c2', '*** Add File: note.txt', '+one'),
      patches('c3', '*** Update File: note.txt', '@@', '-one', '+two'),
      runs('cat note.txt', 'c4'),
      says('The note says', ' two.'),
    );
    const { events } = await task('gpt-5.5');
    expect(events).toContainEqual(expect.objectContaining({ ...done, item: expect.objectContaining(done.item) }));
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', usage: { input_tokens: 35, output_tokens: 15 } });
    expect(provider.requests).toHaveLength(5);
    expect(resultsIn(provider.requests[4]!.body)).toEqual([
      expect.stringContaining('begun'),
      expect.stringContaining('A note.txt'),
      expect.stringContaining('M note.txt'),
      expect.stringMatching(/two\s*$/),
    ]);
  });

  it('ends one with a model that it does not know', async () => {
    provider.plays(
      runs('echo one > note.txt', 'c1'),
      runs('echo two > note.txt', 'c2'),
      runs('ls', 'c3'),
      runs('cat note.txt', 'c4'),
      says('The note says', ' two.'),
    );
    const { events } = await task('gemma3');
    expect(events).toContainEqual(expect.objectContaining({ ...done, item: expect.objectContaining(done.item) }));
    expect(resultsIn(provider.requests[4]!.body)[3]).toMatch(/two\s*$/);
  });
});
