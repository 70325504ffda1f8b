import { expect, it } from 'vitest';
import { withinBudget } from '../../../../functions/adapters/chat/operator-tokens.ts';
import type { ModelPart } from '../../../../functions/chat/domain/chat-model.ts';

it('a model that the operator pays for is asked within the budget of tokens alone, and what it used is counted', async () => {
  const used = new Map<string, number>();
  const budget = {
    waitSeconds: async (client: string | null) => ((used.get(client ?? '') ?? 0) >= 30 ? 60 : 0),
    count: async (client: string | null, amount = 1) =>
      void used.set(client ?? '', (used.get(client ?? '') ?? 0) + amount),
  };
  let asked = 0;
  async function* answer(): AsyncGenerator<ModelPart> {
    asked += 1;
    yield { kind: 'text', text: 'Hello' };
    yield { kind: 'usage', usage: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 } };
  }
  const all = async (parts: AsyncIterable<ModelPart>) => {
    const read: ModelPart[] = [];
    for await (const part of parts) read.push(part);
    return read;
  };
  const ask = (workspaceId: string) => all(withinBudget(workspaceId, budget, answer));
  expect(await ask('ws_1')).toHaveLength(2);
  await ask('ws_1');
  await expect(ask('ws_1')).rejects.toMatchObject({ code: 'rate_limit', message: expect.stringContaining('60 s') });
  await ask('ws_2');
  expect(asked).toBe(3);
  expect(Object.fromEntries(used)).toEqual({ ws_1: 40, ws_2: 20 });
  expect(await all(withinBudget('ws_1', undefined, answer))).toHaveLength(2);
});
