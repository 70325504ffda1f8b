import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { inputItemList } from '../../../functions/chat/responses-api/schemas.ts';
import { call } from '../../helpers/api.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { callsTool, says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** Input items and cancellation of kept responses, by the client of OpenAI. */
const service = useService();

const { provider, application } = useScriptedApplication(service);
let baseURL: string;
beforeAll(() => {
  baseURL = `${service.baseUrl}/api/v1/chat/${application.id}`;
});

const client = (url = baseURL, apiKey = service.apiKey) => new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
const model = 'anything';

/** Credentials and addresses under which a response of this application does not exist. */
async function others(): Promise<readonly OpenAI[]> {
  const [other, foreign] = [await applicationOn(service, provider.baseUrl), await createWorkspace()];
  const key = await call(service, 'POST', '/api/v1/api-keys', { body: { name: randomUUID() } });
  return [
    client(`${service.baseUrl}/api/v1/chat/${other.id}`),
    client(baseURL, foreign.apiKey),
    client(baseURL, (key.json as { data: { key: string } }).data.key),
  ];
}

describe('the input items of a response', () => {
  it('are those of its own request, the last one first or in their order', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}', 'c1'), says('Sunny'));
    const openai = client();
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }];
    const first = await openai.responses.create({
      ...{ model, tools, instructions: 'Be brief.' },
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      ],
    });
    const second = await openai.responses.create({
      ...{ model, tools, previous_response_id: first.id },
      input: [
        { type: 'function_call_output', call_id: 'c1', output: 'sun' },
        { role: 'user', content: 'And?' },
      ],
    });
    const items = async (id: string, query: OpenAI.Responses.InputItemListParams = {}) => {
      const page = await client(`${baseURL}/v1`).responses.inputItems.list(id, query);
      return page.data;
    };
    expect(await items(first.id, { order: 'asc' })).toMatchObject([
      { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
    ]);
    expect(await items(second.id)).toMatchObject([
      { type: 'message', role: 'user', content: [{ text: 'And?' }] },
      { type: 'function_call_output', call_id: 'c1', output: 'sun' },
    ]);
    const whole = inputItemList.parse(await readItems(second.id));
    expect(whole).toMatchObject({ first_id: whole.data[0]!.id, last_id: whole.data[1]!.id, has_more: false });
  });

  it('keep their kinds: images, files, calls and results of custom tools', async () => {
    provider.plays(says('Done'));
    const image_url = `data:image/png;base64,${Buffer.from('png').toString('base64')}`;
    const created = await client().responses.create({
      model,
      input: [
        { type: 'custom_tool_call', call_id: 'p1', name: 'apply_patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'p1', output: 'patched' },
        { role: 'user', content: [{ type: 'input_image', image_url, detail: 'low' }] },
      ],
    });
    const { data } = inputItemList.parse(await readItems(created.id, '?order=asc'));
    expect(data).toMatchObject([
      { type: 'custom_tool_call', call_id: 'p1', name: 'apply_patch', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'p1', output: 'patched' },
      { type: 'message', role: 'user' },
    ]);
    expect(new Set(data.map(({ id }) => id)).size).toBe(3);
  });

  it('come in pages, which the client walks through', async () => {
    provider.plays(says('Hello'));
    const openai = client();
    const input = Array.from({ length: 5 }, (_, i) => ({ role: 'user' as const, content: `${i}` }));
    const { id } = await openai.responses.create({ model, input });
    const texts: string[] = [];
    for await (const item of openai.responses.inputItems.list(id, { limit: 2, order: 'asc' }))
      texts.push(JSON.stringify((item as { content: unknown }).content));
    expect(texts.map((text) => /"text":"(\d)"/.exec(text)?.[1])).toEqual(['0', '1', '2', '3', '4']);
    await expect(openai.responses.inputItems.list(id, { after: 'msg_x' })).rejects.toMatchObject({ status: 400 });
    await expect(openai.responses.inputItems.list(id, { limit: 101 })).rejects.toMatchObject({ status: 400 });
  });

  it('are of the caller who made the response, of its application, and gone with it', async () => {
    provider.plays(says('Hello'));
    const { id } = await client().responses.create({ model, input: 'Secret' });
    for (const other of await others())
      await expect(other.responses.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
    await client().responses.delete(id);
    await expect(client().responses.inputItems.list(id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
  });
});

it('cancelling a complete response is refused as OpenAI refuses it, and leaves it in place', async () => {
  provider.plays(says('Hello'));
  const openai = client();
  const { id } = await openai.responses.create({ model, input: 'Hello' });
  await expect(openai.responses.cancel(id)).rejects.toMatchObject({
    ...{ status: 400, type: 'invalid_request_error' },
    message: expect.stringContaining('Cannot cancel a completed response'),
  });
  for (const other of await others()) await expect(other.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  expect((await openai.responses.retrieve(id)).output_text).toBe('Hello');
  await openai.responses.delete(id);
  await expect(openai.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
});

async function readItems(id: string, query = ''): Promise<unknown> {
  const { json } = await call(service, 'GET', `/api/v1/chat/${application.id}/responses/${id}/input_items${query}`);
  return json;
}
