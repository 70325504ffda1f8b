import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  applicationOn,
  applicationPath,
  changeCall,
  complete,
  completionOf,
  contentOf,
  createApplication,
  createCall,
  createToken,
  refusalOf,
  stream,
} from '../../helpers/chat.ts';
import { basePath, createBase, indexText } from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { callsTool, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
beforeEach(refillLimits);

const REFUND = '환불은 결제한 날부터 7일 안에 신청할 수 있습니다. 신청하면 사흘 안에 돈이 돌아옵니다.';
const STORAGE = '인슐린은 냉장고에서 섭씨 2도에서 8도 사이로 보관하십시오.';

describe('answers of applications', () => {
  let provider: ScriptedProvider;
  let base: string;
  const ask = (content: string) => ({ messages: [{ role: 'user', content }] });
  beforeAll(async () => {
    provider = await scriptedProvider();
    base = (await createBase(service)).id;
    const text = `# 환불\n\n${REFUND}\n\n# 보관\n\n${STORAGE}`;
    await indexText(service, base, text, { title: '안내서', content_type: 'text/markdown' });
  });
  afterAll(() => provider.stop());

  it('of the embedded model quote their documents, and say plainly when there is nothing', async () => {
    const { id, config } = await createApplication(service, { config: { knowledge_bases: [base, base] } });
    expect(config.knowledge_bases).toEqual([base]);
    expect(contentOf(await complete(service, id, ask('환불을 언제까지 신청하나요?')))).toBe(
      `${REFUND} [안내서 › 환불]`,
    );
    expect(contentOf(await complete(service, id, ask('달까지 거리는 몇 킬로미터인가요?')))).toBe(
      '문서에서 이 질문에 대한 내용을 찾지 못했습니다.',
    );
    expect(contentOf(await complete(service, id, ask('Quantum chromodynamics?')))).toContain('say nothing about this');
  });

  it('of a model come with the best passages, which events and the end cite', async () => {
    const { id } = await applicationOn(service, provider.baseUrl, {
      ...{ knowledge_bases: [base], system_prompt: 'Be brief.' },
    });
    provider.plays(says('일주일입니다 [1].'));
    const named = { headers: { 'x-stream-events': 'named' } };
    const { text, chunks } = await stream(service, id, ask('환불을 언제까지 신청하나요?'), named);
    expect(text).toBe('일주일입니다 [1].');
    const { messages } = provider.requests.at(-1)!.body;
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[0]!.content).toContain(`[1] 안내서 › 환불\n${REFUND}`);
    const events = chunks.flatMap(({ event }) => (event ? [event] : []));
    const [cited] = [
      { id: expect.any(String), title: '안내서', page: null, heading: ['환불'], source: '안내서 › 환불' },
    ];
    expect(events[0]).toMatchObject({
      ...{ type: 'knowledge_retrieved', query: '환불을 언제까지 신청하나요?' },
      documents: [{ ...cited, snippet: REFUND }],
    });
    expect(events.at(-1)).toMatchObject({ type: 'message_end', citations: [cited] });
    const whole = completionOf(await complete(service, id, ask('환불을 언제까지 신청하나요?')));
    expect(whole.citations).toMatchObject([{ ...cited, snippet: REFUND }]);
    for (const include_usage of [true, false]) {
      const body = { ...ask('환불을 언제까지 신청하나요?'), stream_options: { include_usage } };
      const streamed = await stream(service, id, body);
      expect(streamed.chunks.flatMap(({ citations }) => (citations ? [citations] : []))).toEqual([whole.citations]);
      expect(streamed.chunks.at(-1)).toHaveProperty('citations');
    }

    await refillLimits();
    // A replay cites what the first answer cited.
    const keyed = { headers: { 'x-session-id': 'replayed', 'idempotency-key': 'k-1' } };
    for (let i = 0; i < 2; i++) {
      const answered = await stream(service, id, ask('환불을 언제까지 신청하나요?'), keyed);
      expect(answered.headers.get('idempotent-replayed')).toBe(i === 0 ? null : 'true');
      expect(answered.chunks.at(-1)).toMatchObject({ citations: whole.citations });
    }

    provider.plays(says('ok'));
    const { token } = await createToken(service, id);
    const visited = await stream(service, token, ask('환불을 언제까지 신청하나요?'), { key: null, ...named });
    expect(JSON.stringify(visited.chunks)).toContain('안내서 › 환불');
    expect(JSON.stringify(visited.chunks)).not.toContain('사흘 안에');
    const visitedWhole = await complete(service, token, ask('환불을 언제까지 신청하나요?'), { key: null });
    expect(completionOf(visitedWhole).citations![0]).not.toHaveProperty('snippet');

    provider.plays(says('I do not know.'));
    await complete(service, id, ask('Quantum chromodynamics?'));
    expect(provider.requests.at(-1)!.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('come from searches of the model’s own as well, by the tool knowledge', async () => {
    const config = { knowledge_bases: [base], tools: [{ type: 'knowledge' }] };
    const { id, config: shown } = await applicationOn(service, provider.baseUrl, config);
    expect(shown.tools).toEqual([{ type: 'knowledge', name: 'knowledge' }]);
    provider.plays(callsTool('knowledge', '{"query":"환불 신청"}'), says('7일 안에 하세요.'));
    expect(contentOf(await complete(service, id, ask('Hello')))).toBe('7일 안에 하세요.');
    const told = provider.requests.at(-1)!.body.messages.at(-1)!;
    expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining(`[1] 안내서 › 환불\n${REFUND}`) });

    const without = await applicationOn(service, provider.baseUrl, { tools: [{ type: 'knowledge', name: 'docs' }] });
    provider.plays(callsTool('docs', '{"query":"환불"}'), says('No.'));
    await complete(service, without.id, ask('Hello'));
    expect(provider.requests.at(-1)!.body.messages.at(-1)!.content).toContain('no knowledge bases');
  });

  it('applications continue without a removed base', async () => {
    const own = await createBase(service);
    const { id } = await createApplication(service, { config: { knowledge_bases: [own.id] } });
    await indexText(service, own.id, REFUND);
    expect(contentOf(await complete(service, id, ask('환불 신청')))).toContain('7일');
    await call(service, 'DELETE', basePath(own.id));
    expect(contentOf(await complete(service, id, ask('환불 신청')))).toContain('찾지 못했습니다');
  });

  it('never come from the base of another workspace', async () => {
    const other = { baseUrl: service.baseUrl, apiKey: (await createWorkspace()).apiKey };
    const config = { knowledge_bases: [base] };
    const [status, message] = refusalOf(await createCall(other, { name: 'x', type: 'chat', config }));
    expect([status, message]).toEqual([422, expect.stringContaining(base)]);
    const { id } = await createApplication(other);
    expect(refusalOf(await changeCall(other, id, { config }))[0]).toBe(422);
    const tooMany = await changeCall(other, id, { config: { knowledge_bases: Array(11).fill(base) } });
    expect(refusalOf(tooMany)).toEqual([422, expect.stringContaining('at most 10')]);
    expect((await call(other, 'GET', applicationPath(id))).status).toBe(200);
  });
});
