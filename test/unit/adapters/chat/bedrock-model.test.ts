import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  type ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { bedrockAnswer, toConverse } from '../../../../functions/adapters/chat/bedrock-model.ts';
import { Answer } from '../../../../functions/chat/domain/answer.ts';
import { DEFAULT_MODEL } from '../../../../functions/chat/domain/application.ts';
import type { ModelPart, ModelRequest } from '../../../../functions/chat/domain/chat-model.ts';

const model = { ...DEFAULT_MODEL, provider: 'bedrock', name: 'maker.model-1' } as const;
const request = (rest: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  ...{ temperature: 1.5, topP: null, maxTokens: 10, stop: ['END'], tools: [], toolChoice: null, responseFormat: null },
  more: {},
  ...rest,
});

const client = mockClient(BedrockRuntimeClient);
beforeEach(() => client.reset());
afterAll(() => client.restore());

async function answered(stream: readonly Partial<ConverseStreamOutput>[] | Error): Promise<ModelPart[]> {
  if (stream instanceof Error) client.on(ConverseStreamCommand).rejects(stream);
  else
    client.on(ConverseStreamCommand).resolves({
      stream: (async function* () {
        yield* stream as readonly ConverseStreamOutput[];
      })(),
    });
  const parts: ModelPart[] = [];
  const bedrock = client as unknown as BedrockRuntimeClient;
  for await (const part of bedrockAnswer(model, request(), new AbortController().signal, bedrock)) parts.push(part);
  return parts;
}

it('turns the events of a stream into parts', async () => {
  const toolUse = { toolUseId: 'c', name: 'f' };
  const parts = await answered([
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi' } } },
    { contentBlockStart: { contentBlockIndex: 1, start: { toolUse } } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{}' } } } },
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5 }, metrics: undefined } },
  ]);
  expect(parts).toEqual([
    { kind: 'text', text: 'Hi' },
    { kind: 'tool_calls', calls: [{ index: 1, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] },
    { kind: 'tool_calls', calls: [{ index: 1, function: { arguments: '{}' } }] },
    { kind: 'finish', reason: 'tool_calls' },
    { kind: 'usage', usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 } },
  ]);
});

it.each([
  ['ThrottlingException', 'slow down', 'rate_limit'],
  ['AccessDeniedException', 'no', 'auth_error'],
  ['ModelTimeoutException', 'no', 'timeout'],
  ['ValidationException', 'Input is too long for requested model.', 'context_overflow'],
  ['ValidationException', 'unknown field', 'invalid_request'],
  ['InternalServerException', 'no', 'provider_error'],
  ['ServiceQuotaExceededException', 'no', 'provider_error'],
])('names the failure %s: %s', async (name, message, code) => {
  await expect(answered(Object.assign(new Error(message), { name }))).rejects.toMatchObject({ code });
});

it('puts prompts apart, results of tools to the user, and roles in turn', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA' } } as const;
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } } as const;
  const converse = toConverse(
    model,
    request({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '42' },
        { role: 'user', content: 'And?' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      toolChoice: 'required',
    }),
  );
  expect(converse).toMatchObject({
    modelId: 'maker.model-1',
    system: [{ text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ text: 'Look' }, { image: { format: 'jpeg' } }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: { a: 1 } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: '42' }] } }, { text: 'And?' }] },
    ],
    inferenceConfig: { temperature: 1, maxTokens: 10, stopSequences: ['END'] },
    toolConfig: { tools: [{ toolSpec: { name: 'f' } }], toolChoice: { any: {} } },
  });
});

it('leaves out what Bedrock refuses: empty prompts and messages, and refusals that are not text', () => {
  const { system, messages } = toConverse(
    model,
    request({
      messages: [
        { role: 'system', content: '' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: null, refusal: 'No.' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Why?' },
      ],
    }),
  );
  expect(system).toBeUndefined();
  expect(messages).toEqual([
    { role: 'user', content: [{ text: 'Hello' }] },
    { role: 'assistant', content: [{ text: 'No.' }] },
    { role: 'user', content: [{ text: 'Why?' }] },
  ]);
});

it('waits as long as Bedrock asks, and not for a used up quota', async () => {
  const $response = { headers: { 'retry-after': '2.5' } };
  const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException', $response });
  await expect(answered(throttled)).rejects.toMatchObject({ isPassing: true, retryAfterSeconds: 2.5 });
  const usedUp = Object.assign(new Error('no'), { name: 'ServiceQuotaExceededException' });
  await expect(answered(usedUp)).rejects.toMatchObject({ isPassing: false });
});

const said = { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi' } } };

it.each<[string, Partial<ConverseStreamOutput>[], string]>([
  ['ends without a stop', [said], 'broke off'],
  ['stops with a malformed call', [said, { messageStop: { stopReason: 'malformed_tool_use' } }], 'malformed_tool_use'],
  [
    'answers with a picture',
    [{ contentBlockDelta: { contentBlockIndex: 0, delta: { image: {} } as never } }],
    'content that is not text',
  ],
])('takes no stream that %s for an answer', async (_, stream, message) => {
  await expect(answered(stream)).rejects.toMatchObject({
    code: 'provider_error',
    message: expect.stringContaining(message),
  });
});

it('sends the vendor’s own parameters, and asks for no thinking behind a call whose reasoning is not at hand', () => {
  const thinking = { ...model, extraBody: { top_k: 5, thinking: { type: 'enabled', budget_tokens: 2000 } } };
  expect(toConverse(thinking, request()).additionalModelRequestFields).toEqual(thinking.extraBody);
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: '42' },
  ] as const;
  expect(toConverse(thinking, request({ messages })).additionalModelRequestFields).toEqual({ top_k: 5 });
});

it('gives signed reasoning back to the model, in parts as they were signed', async () => {
  const parts = await answered([
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 's1' } } } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { reasoningContent: { signature: 's2' } } } },
    { contentBlockDelta: { contentBlockIndex: 2, delta: { text: 'Hi' } } },
    { messageStop: { stopReason: 'end_turn' } },
  ]);
  const answer = new Answer();
  for (const part of parts) answer.add(part.kind === 'reasoning' ? { ...part, model: 'm' } : part);
  const { messages } = toConverse(model, request({ messages: [{ role: 'user', content: 'Hello' }, answer.message] }));
  expect(messages![1]!.content).toEqual([
    { reasoningContent: { reasoningText: { text: 'Hm', signature: 's1' } } },
    { reasoningContent: { reasoningText: { text: '', signature: 's2' } } },
    { text: 'Hi' },
  ]);
});

it.each([
  ['response_format', request({ responseFormat: { type: 'json_object' } })],
  [
    'input_audio',
    request({
      messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }] }],
    }),
  ],
])('refuses %s', (text, refused) => {
  expect(() => toConverse(model, refused)).toThrow(text);
});
