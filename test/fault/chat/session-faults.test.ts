import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataSettingsStore } from '../../../functions/accounts/domain/data-settings.ts';
import { DynamoConversations } from '../../../functions/adapters/chat/dynamo-conversations.ts';
import { ProcessSessionTurns } from '../../../functions/adapters/chat/process-session-turns.ts';
import { LEASE_SECONDS } from '../../../functions/adapters/dynamodb/renewed-lease.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { type Application, DEFAULT_CONFIG } from '../../../functions/chat/domain/application.ts';
import type { ModelPart, ModelRequest } from '../../../functions/chat/domain/chat-model.ts';
import { type CompletionPart, complete, recordedAnswer } from '../../../functions/chat/domain/complete.ts';
import type { Session } from '../../../functions/chat/domain/conversations.ts';
import { openSession } from '../../../functions/chat/domain/open-session.ts';
import type { Tool } from '../../../functions/chat/domain/tools/tool.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { defaultDataSettings, instantBackoff } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/**
 * Completions of one session over the embedded DynamoDB; the model repeats what it is asked, once it has called the tool of
 * an application that has one.
 */
function chatFlow({ hasTool = false, process = null }: { hasTool?: boolean; process?: string | null } = {}) {
  const clock = testClock();
  const workspaceId = `ws_${randomBytes(8).toString('hex')}`;
  const at = new Date(clock.now()).toISOString();
  const application: Application = {
    ...{ workspaceId, applicationId: 'app', name: 'App', type: 'chat', description: '' },
    config: { ...DEFAULT_CONFIG, tools: hasTool ? [{ type: 'code_interpreter', name: 'charge' }] : [] },
    ...{ version: 1, createdAt: at, updatedAt: at },
  };
  const conversations = new DynamoConversations(dynamo.client, TABLES.conversations, TABLES.usage, {
    clock,
    ids: ulidIds,
    backoff: instantBackoff,
    process,
  });
  let asked = 0;
  const models = {
    stream: async function* (_: unknown, __: unknown, { messages }: ModelRequest): AsyncGenerator<ModelPart> {
      asked += 1;
      const last = messages.at(-1)!;
      if (hasTool && last.role !== 'tool') {
        yield { kind: 'tool_calls', calls: [{ index: 0, id: 'c', function: { name: 'charge', arguments: '{}' } }] };
        yield { kind: 'finish', reason: 'tool_calls' };
        return;
      }
      yield { kind: 'text', text: `echo ${messages.findLast(({ role }) => role === 'user')!.content}` };
      yield { kind: 'finish', reason: 'stop' };
    },
  };
  const charged: string[] = [];
  // As the extraction does it: once for a key.
  const till = { charge: async (key: string) => void (charged.includes(key) || charged.push(key)) };
  let openTill = till;
  const tool: Tool = {
    ...{ name: 'charge', description: '', parameters: {} },
    run: async (_, { requestKey }) => {
      await openTill.charge(requestKey);
      return { text: 'charged' };
    },
  };
  const portsOf = {
    conversations,
    till,
    dataSettings: defaultDataSettings,
    tools: { of: async () => [tool] },
    usage: { record: async () => undefined },
    workflows: {
      answer: () => {
        throw new Error('No workflow is asked.');
      },
    },
    onFault: () => undefined,
    models,
    images: async () => '',
    knowledge: { search: async () => [] },
    clock,
    sessionTurns: new ProcessSessionTurns(),
    pause: {
      wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
    },
  } as Parameters<typeof complete>[2] & {
    conversations: DynamoConversations;
    dataSettings: DataSettingsStore;
    till: typeof till;
  };

  /** As the handler does it: reads the session, answers, or replays. */
  async function say(text: string, key: string | null, fault: Fault | null = null, at: number | string = -1) {
    const { ports: faulty, calls } = faultyPorts(portsOf, fault, at);
    openTill = faulty.till;
    const id = { workspaceId, applicationId: 'app', caller: { kind: 'key', id: 'k' }, sessionId: 's' } as const;
    const run = async () => {
      const turnId = ulidIds.next('chatcmpl');
      const sessionKey = key === null ? null : { key, bodyHash: text, owner: turnId };
      const state = await openSession(id, sessionKey, faulty);
      const session: Session & typeof state = { ...id, ...state, key: sessionKey };
      const request = {
        ...{ messages: [{ role: 'user' as const, content: text }], temperature: null, topP: null, maxTokens: null },
        ...{ stop: [], tools: [], toolChoice: null, responseFormat: null, more: {} },
      };
      const command = {
        id: turnId,
        application,
        request,
        session,
        keyId: 'k',
        requestKey: key ?? turnId,
        background: () => undefined,
        caller: id.caller,
        startNodeInputs: {},
        deadlineMs: Number.MAX_SAFE_INTEGER,
      };
      if (state.recorded && state.recorded.turn === null) throw new Error('The key is in use.');
      const parts = state.recorded?.turn
        ? recordedAnswer(state.recorded.turn)
        : complete(command, new AbortController().signal, faulty);
      const answered: CompletionPart[] = [];
      for await (const part of parts) answered.push(part);
      return answered;
    };
    const answered = await run().catch(() => null);
    return { answered, calls };
  }

  const history = async () => {
    const id = { workspaceId, applicationId: 'app', caller: { kind: 'key', id: 'k' }, sessionId: 's' } as const;
    const { history: turns } = await conversations.read(id, null);
    return turns.map(({ input, steps, answer }) => [
      input.map(({ content }) => content).join(),
      answer.content,
      ...steps.map(({ role }) => role),
    ]);
  };
  return { say, history, charged, conversations, application, workspaceId, clock, asked: () => asked };
}

describe.each(FAULTS)('%s at every port call of a completion with a session', (fault) => {
  it('and sent again with its Idempotency-Key: one whole turn', async () => {
    const { calls } = await chatFlow().say('q', 'k');
    expect(calls).toContain('conversations.append');
    for (const at of sampledCalls(calls.length)) {
      const flow = chatFlow();
      await flow.say('before', null);
      const first = await flow.say('q', 'k', fault, at);
      const turns = await flow.history();
      // In any case: whole turns only, and the turn of a complete answer is there.
      for (const [said, answer] of turns) expect(answer).toBe(`echo ${said}`);
      if (first.answered) expect(turns.at(-1)).toEqual(['q', 'echo q']);
      // A request that died holds its key until the lease ends.
      flow.clock.advance(LEASE_SECONDS);
      const again = await flow.say('q', 'k');
      expect(again.answered).toContainEqual({ kind: 'text', text: 'echo q' });
      expect(await flow.history()).toEqual([
        ['before', 'echo before'],
        ['q', 'echo q'],
      ]);
      const listed = await flow.conversations.list(flow.application, 10, null);
      expect(listed).toMatchObject([{ sessionId: 's', title: 'before' }]);
    }
  });
});

describe.each(FAULTS)('%s at every port call of a completion with a tool', (fault) => {
  it('and sent again with its Idempotency-Key: one whole turn, charged once', async () => {
    const STEPS = ['assistant', 'tool'];
    const { calls } = await chatFlow({ hasTool: true }).say('q', 'k');
    expect(calls).toEqual(expect.arrayContaining(['tools.of', 'till.charge', 'conversations.append']));
    for (const at of sampledCalls(calls.length)) {
      const flow = chatFlow({ hasTool: true });
      await flow.say('q', 'k', fault, at);
      const whole = ['q', 'echo q', ...STEPS];
      for (const turn of await flow.history()) expect(turn).toEqual(whole);
      // A request that died holds its key until the lease ends.
      flow.clock.advance(LEASE_SECONDS);
      const again = await flow.say('q', 'k');
      expect(again.answered).toContainEqual({ kind: 'text', text: 'echo q' });
      expect(await flow.history()).toEqual([whole]);
      // A failed call may have charged nothing: the model gets the failure, and the turn is still whole.
      if (fault.startsWith('killed')) expect(flow.charged).toEqual(['k']);
      else expect(['', 'k']).toContain(flow.charged.join());
    }
  });
});

it('of many first turns at once, all are in one conversation', async () => {
  const flow = chatFlow();
  const words = Array.from({ length: 8 }, (_, i) => `w${i}`);
  await Promise.all(words.map((word) => flow.say(word, null)));
  expect((await flow.history()).map(([said]) => said).sort()).toEqual(words);
  expect(await flow.conversations.list(flow.application, 10, null)).toHaveLength(1);
});

it('is kept for 30 days after the last turn, however old the first one is', async () => {
  const flow = chatFlow();
  const DAY = 24 * 60 * 60;
  for (const word of ['a', 'b', 'c', 'd']) {
    await flow.say(word, null);
    flow.clock.advance(20 * DAY);
    await dynamo.database.removeExpired(TABLES.conversations, 'expiresAt', flow.clock.now());
  }
  expect((await flow.history()).map(([said]) => said)).toEqual(['a', 'b', 'c', 'd']);
  flow.clock.advance(11 * DAY);
  expect(await flow.history()).toEqual([]);
  expect(await flow.conversations.list(flow.application, 10, null)).toEqual([]);
  await flow.say('new', null);
  expect((await flow.history()).map(([said]) => said)).toEqual(['new']);
});

it('an answer that breaks off leaves nothing', async () => {
  const flow = chatFlow();
  const { answered } = await flow.say('q', null, 'fails before', 'models.stream');
  expect([answered, await flow.history()]).toEqual([null, []]);
});

it('a session whose data settings cannot be read asks no model, and leaves its Idempotency-Key free', async () => {
  const flow = chatFlow();
  expect(await flow.say('q', 'k', 'fails before', 'dataSettings.dataSettings')).toMatchObject({ answered: null });
  expect(flow.asked()).toBe(0);
  const { answered } = await flow.say('q', 'k');
  expect(answered).toContainEqual({ kind: 'text', text: 'echo q' });
});
