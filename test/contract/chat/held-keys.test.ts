import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoConversations } from '../../../functions/adapters/chat/dynamo-conversations.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import type { Turn } from '../../../functions/chat/domain/history.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const clock = testClock();
const session = () => ({
  ...{ workspaceId: randomUUID(), applicationId: 'app', caller: { kind: 'key', id: 'k' } as const, sessionId: 'one' },
});
const inProcess = (process: string | null) => {
  const ports = { clock, ids: ulidIds, backoff: instantBackoff, process };
  return new DynamoConversations(dynamo.client, TABLES.conversations, null, ports);
};
const keyOf = (owner: string) => ({ key: 'once', bodyHash: 'hash', owner });
/** Whether a request held by `first` keeps one in `then` from its key. */
async function isHeld(first: string | null, then: string | null): Promise<boolean> {
  const id = session();
  await inProcess(first).read(id, keyOf('a'));
  return (await inProcess(then).read(id, keyOf('b'))).recorded !== null;
}

it('a key is held within a process, and among functions', async () => {
  expect(await isHeld('one', 'one')).toBe(true);
  expect(await isHeld(null, null)).toBe(true);
});

it('the one process of a service takes the keys that its predecessor held, also one of an earlier release', async () => {
  expect(await isHeld('one', 'two')).toBe(false);
  expect(await isHeld(null, 'two')).toBe(false);
});

it('the one process of a service keeps the turns that its predecessor recorded', async () => {
  const id = session();
  const [before, after] = [inProcess('one'), inProcess('two')];
  const { conversationId, expiring } = await before.read(id, keyOf('a'));
  const turn: Turn = {
    ...{ turnId: ulidIds.next('chatcmpl'), createdAt: new Date(clock.now()).toISOString() },
    ...{ input: [{ role: 'user', content: 'q' }], steps: [], answer: { role: 'assistant', content: 'a' } },
    ...{ finishReason: 'stop', usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  };
  await before.append({ ...id, conversationId, expiring, key: keyOf('a') }, turn, null, 30);
  expect((await after.read(id, keyOf('b'))).recorded).toMatchObject({ turn: { turnId: turn.turnId } });
});
