import OpenAI from 'openai';
import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { chatRefusalOf } from '../../helpers/chat.ts';
import { callsTool, events, says, upstreamChunk } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { callChunk, DONE, fn } from '../../helpers/upstream-rows.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** The Responses API as coding agents use it: https://github.com/openai/codex keeps the conversation itself, and sends tools of all types. */
const service = useService();
const { provider, application } = useScriptedApplication(service);
let path: string;
beforeAll(() => {
  path = `/api/v1/chat/${application.id}/responses`;
});

const openai = () =>
  new OpenAI({ baseURL: `${service.baseUrl}/api/v1/chat/${application.id}`, apiKey: service.apiKey, maxRetries: 0 });
const send = (body: object) => call(service, 'POST', path, { body: { input: 'Hello', ...body } });
const shell = { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} }, strict: false };
const applyPatch = {
  ...{ type: 'custom', name: 'apply_patch', description: 'Edits files' },
  format: { type: 'grammar', syntax: 'lark', definition: 'start: hunk+' },
};
const PATCH = '*** Start Patch\n*** Add File: a.txt\n+"one"\n*** End Patch\n';
interface Created {
  readonly id: string;
  readonly output: readonly object[];
}
const stored = (id: string) => call(service, 'GET', `${path}/${id}`);
const statusTool = { ...shell, name: 'status' };
const namespace = (tools: readonly object[], name = 'mcp__burp__') => ({ type: 'namespace', name, tools });
const names = () =>
  (provider.requests.at(-1)!.body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
const callsOnce = (name: string, rest: object = {}) =>
  events(callChunk({ index: 0, id: 'c1', ...fn(name), ...rest }, 'tool_calls'), DONE);

describe('tools', () => {
  it('of OpenAI are left out, which a header and the metadata say', async () => {
    provider.plays(says('ok'));
    const tools = [
      shell,
      { type: 'web_search', external_web_access: true },
      { type: 'local_shell' },
      { type: 'next_one' },
    ];
    const { status, json, headers } = await send({ tools, tool_choice: { type: 'web_search' }, metadata: { a: 'b' } });
    expect(status).toBe(200);
    expect(headers.get('x-tools-left-out')).toBe('web_search, local_shell, next_one');
    expect(json).toMatchObject({
      metadata: { a: 'b', tools_left_out: 'web_search, local_shell, next_one' },
      tools: [{ type: 'function', name: 'shell' }],
    });
    expect(names()).toEqual(['shell']);
    expect(provider.requests[0]!.body).not.toHaveProperty('tool_choice');
  });

  it('that are all taken leave no note', async () => {
    provider.plays(says('ok'));
    const { json, headers } = await send({ tools: [shell] });
    expect([headers.get('x-tools-left-out'), (json as { metadata: object }).metadata]).toEqual([null, {}]);
  });

  it('of a namespace are functions for the model, and their own again for the client', async () => {
    provider.plays(callsOnce('mcp__burp__status'), says('done'));
    const tools = [shell, namespace([statusTool, { type: 'web_search' }]), namespace([statusTool], 'crm')];
    const { json } = await send({ tools });
    expect(names()).toEqual(['shell', 'mcp__burp__status', 'crm__status']);
    const [item] = (json as { output: ResponseInputItem[] }).output;
    expect(item).toMatchObject({ type: 'function_call', name: 'status', namespace: 'mcp__burp__', call_id: 'c1' });
    await send({
      input: [{ role: 'user', content: 'Hello' }, item, { type: 'function_call_output', call_id: 'c1', output: 'up' }],
      tools,
      tool_choice: { type: 'function', name: 'status', namespace: 'mcp__burp__' },
    });
    expect(provider.requests[1]!.body).toMatchObject({
      messages: [{}, { tool_calls: [{ function: { name: 'mcp__burp__status' } }] }, { content: 'up' }],
      tool_choice: { function: { name: 'mcp__burp__status' } },
    });
  });

  it('of a namespace with long names have names that every provider takes', async () => {
    provider.plays(says('ok'));
    const long = (last: string) => ({ ...shell, name: `${'n'.repeat(60)}${last}` });
    await send({ tools: [namespace([long('a'), long('b')])] });
    expect(new Set(names()).size).toBe(2);
    for (const name of names()) expect(name).toMatch(/^[\w-]{1,64}$/);
  });

  it('with a text as input are functions for the model, and custom again for the client', async () => {
    provider.plays(callsTool('apply_patch', JSON.stringify({ input: PATCH }), 'c1'), says('done'));
    const tools = [shell, applyPatch];
    const created = (await send({ tools, tool_choice: { type: 'custom', name: 'apply_patch' } })).json as Created;
    const call = { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: PATCH };
    expect(created.output).toMatchObject([call]);
    expect(provider.requests[0]!.body).toMatchObject({
      tools: [
        {},
        {
          type: 'function',
          function: {
            name: 'apply_patch',
            description: expect.stringMatching(/Edits files.*lark grammar:\nstart: hunk/s),
            parameters: { required: ['input'] },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'apply_patch' } },
    });
    expect((await stored(created.id)).json).toMatchObject({ output: [call] });
    const output = { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done!' };
    await send({ input: [{ role: 'user', content: 'Hello' }, call, output], tools });
    expect(provider.requests[1]!.body.messages.slice(1)).toEqual([
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [
          {
            ...{ id: 'c1', type: 'function' },
            function: { name: 'apply_patch', arguments: JSON.stringify({ input: PATCH }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Done!' },
    ]);
  });

  it('with a text as input are announced before their input is whole', async () => {
    provider.plays(callsTool('apply_patch', JSON.stringify({ input: PATCH }), 'c1'));
    const seen = await streamed({ tools: [applyPatch] });
    expect(seen.slice(2).map((event) => event.type)).toEqual([
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it.each([
    ['the text alone', PATCH, PATCH],
    ['a text in JSON', JSON.stringify(PATCH), PATCH],
    ['another name for the text', JSON.stringify({ patch: PATCH }), PATCH],
    ['several members', '{"a":"1","b":"2"}', '{"a":"1","b":"2"}'],
    ['half an object', '{"input":"*** Be', '{"input":"*** Be'],
  ])('with a text as input take %s for it', async (_, args, input) => {
    provider.plays(callsTool('apply_patch', args, 'c1'));
    expect((await send({ tools: [applyPatch] })).json).toMatchObject({ output: [{ input }] });
  });

  it('with a text as input keep their fragments where those of a function interleave', async () => {
    provider.plays(
      events(
        callChunk({ index: 0, id: 'a', function: { arguments: '' } }),
        callChunk({ index: 0, ...fn('apply_patch', '{"inp') }),
        callChunk({ index: 1, id: 'b', ...fn('shell', '{"y"') }),
        callChunk({ index: 0, function: { arguments: 'ut":"x"}' } }),
        callChunk({ index: 1, function: { arguments: ':2}' } }, 'tool_calls'),
        DONE,
      ),
    );
    expect((await send({ tools: [shell, applyPatch] })).json).toMatchObject({
      output: [
        { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: 'x' },
        { type: 'function_call', call_id: 'b', name: 'shell', arguments: '{"y":2}' },
      ],
    });
  });

  it.each([
    ['a namespace in a namespace', [namespace([namespace([statusTool])])], 'tools'],
    ['a namespace without tools', [{ type: 'namespace', name: 'a' }], 'list of functions'],
    ['a function without a name', [{ type: 'function' }], 'name'],
    ['no type', [{ name: 'x' }], 'type'],
  ])('with %s are refused', async (_, tools, text) => {
    provider.plays(says('never'));
    const refusal = chatRefusalOf(await send({ tools }));
    expect([400, 422]).toContain(refusal.status);
    expect(refusal.message).toContain(text);
    expect(provider.requests).toEqual([]);
  });
});

describe('parameters', () => {
  it.each([
    ['conversation', 'conv_1'],
    ['prompt', { id: 'pmpt_1' }],
    ['max_tool_calls', 3],
    ['truncation', 'auto'],
  ])('that would be ignored are refused: %s', async (name, value) => {
    provider.plays(says('never'));
    const { message } = chatRefusalOf(await send({ [name]: value }));
    expect(message).toContain(name);
    expect(provider.requests).toEqual([]);
  });

  it('that are null or the default are taken', async () => {
    provider.plays(says('ok'));
    const { status } = await send({ conversation: null, prompt: null, max_tool_calls: null, truncation: 'disabled' });
    expect(status).toBe(200);
  });
});

async function streamed(body: object): Promise<readonly ResponseStreamEvent[]> {
  const seen: ResponseStreamEvent[] = [];
  const stream = await openai().responses.create({ model: 'any', input: 'Hello', ...body, stream: true });
  for await (const event of stream) seen.push(event);
  return seen;
}

describe('events', () => {
  it('of calls never interleave, even if the model’s fragments do', async () => {
    provider.plays(
      events(
        callChunk({ index: 0, id: 'a', ...fn('shell', '{"x"') }),
        callChunk({ index: 1, id: 'b', ...fn('shell', '{"y"') }),
        callChunk({ index: 0, function: { arguments: ':1}' } }),
        callChunk({ index: 1, function: { arguments: ':2}' } }, 'tool_calls'),
        DONE,
      ),
    );
    const seen = await streamed({ tools: [shell] });
    const places = seen.flatMap((event) => ('output_index' in event ? [event.output_index] : []));
    expect(places).toEqual([...places].sort());
    const items = seen.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    expect(items).toMatchObject([
      { call_id: 'a', arguments: '{"x":1}' },
      { call_id: 'b', arguments: '{"y":2}' },
    ]);
    const deltas = seen.flatMap((event) =>
      event.type === 'response.function_call_arguments.delta' ? [event.delta] : [],
    );
    expect(deltas.join('')).toBe('{"x":1}{"y":2}');
  });

  it('of thoughts are summaries, too, for clients that ask for them', async () => {
    provider.plays(events(upstreamChunk({ reasoning_content: 'Hm.' }), upstreamChunk({ content: 'Hi' }, 'stop'), DONE));
    const seen = await streamed({ reasoning: { summary: 'auto' } });
    expect(seen.filter(({ type }) => type.includes('summary')).map(({ type }) => type)).toEqual([
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
    ]);
    const last = seen.at(-1) as Extract<ResponseStreamEvent, { type: 'response.completed' }>;
    expect(last.response.output[0]).toMatchObject({
      ...{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    });
  });
});

it('tokens that a provider wrote to its cache are counted', async () => {
  const usage = {
    prompt_tokens: 7,
    completion_tokens: 3,
    total_tokens: 10,
    prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 5 },
  };
  provider.plays(events(upstreamChunk({ content: 'Hi' }, 'stop'), { choices: [], usage }, DONE));
  expect((await send({})).json).toMatchObject({
    usage: { input_tokens_details: { cached_tokens: 2, cache_write_tokens: 5 } },
  });
});

const SIGNED = { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } };

describe('opaque members', () => {
  it('go back to the model from a client that keeps the conversation itself', async () => {
    provider.plays(callsOnce('shell', SIGNED), says('done'));
    const body = { tools: [shell], store: false, include: ['reasoning.encrypted_content'] };
    const { output } = (await send(body)).json as { output: Record<string, unknown>[] };
    expect(output.map(({ type }) => type)).toEqual(['function_call', 'reasoning']);
    expect(JSON.stringify(output)).not.toContain(provider.baseUrl);
    const input = [
      { role: 'user', content: 'Hello' },
      ...output,
      { type: 'function_call_output', call_id: 'c1', output: '1' },
    ];
    await send({ ...body, input });
    expect(provider.requests[1]!.body.messages[1]).toMatchObject({ tool_calls: [{ id: 'c1', ...SIGNED }] });
  });

  it('go back from the history of a response', async () => {
    provider.plays(callsOnce('shell', SIGNED), says('done'));
    const { id } = (await send({ tools: [shell] })).json as { id: string };
    await send({ previous_response_id: id, input: [{ type: 'function_call_output', call_id: 'c1', output: '1' }] });
    expect(provider.requests[1]!.body.messages[1]).toMatchObject({ tool_calls: [{ id: 'c1', ...SIGNED }] });
  });

  it.each([
    ['of another service', 'gAAAAABo'],
    ['that are not members', `tripod.${Buffer.from('{"model":1}').toString('base64url')}`],
    ['that are not JSON', 'tripod.AAAA'],
    ['of 5 MB', `tripod.${'A'.repeat(5_000_000)}`],
  ])('%s are ignored', async (_, encrypted_content) => {
    provider.plays(says('done'));
    const input = [
      { role: 'user', content: 'Hello' },
      { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' },
      { type: 'reasoning', summary: [], encrypted_content },
      { type: 'function_call_output', call_id: 'c1', output: '1' },
    ];
    expect((await send({ input })).status).toBe(200);
    const { tool_calls } = provider.requests[0]!.body.messages[1] as { tool_calls: object[] };
    expect(tool_calls).toEqual([{ id: 'c1', type: 'function', function: { name: 'shell', arguments: '{}' } }]);
  });
});
